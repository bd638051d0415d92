#include "sim/plan/job_order.hpp"

#include <numeric>
#include <utility>

#include "sim/plan/key_sort.hpp"

namespace bursar { inline namespace sim {

JobOrder order_by_keys(const Plan& plan, std::vector<std::uint64_t> key, OrderLayout layout) {
    const KeySort sorted{std::move(key)};
    JobOrder order;
    order.position.resize(plan.num_jobs());
    order.job_at.resize(plan.num_jobs());
    if (layout == OrderLayout::one_line) {
        order.shape_at.resize(plan.num_jobs());
        sorted.for_each([&, at = 0U](JobId job, std::uint64_t) mutable {
            order.position[job] = at;
            order.shape_at[at] = plan.shape[job];
            order.job_at[at++] = job;
        });
        return order;
    }
    order.key.resize(plan.num_jobs());
    order.shape_begin.assign(plan.shapes.size() + 1, 0);
    for (const std::uint16_t shape : plan.shape)
        ++order.shape_begin[shape + 1U];
    std::partial_sum(order.shape_begin.begin(), order.shape_begin.end(), order.shape_begin.begin());
    std::vector<std::uint32_t> next{order.shape_begin.begin(), order.shape_begin.end() - 1};
    sorted.for_each([&](JobId job, std::uint64_t own) {
        const std::uint32_t at = next[plan.shape[job]]++;
        order.position[job] = at;
        order.job_at[at] = job;
        order.key[at] = own;
    });
    return order;
}

}} // namespace bursar::sim
