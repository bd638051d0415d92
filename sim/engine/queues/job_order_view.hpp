#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/job_group.hpp"
#include "sim/plan/job_order.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// A JobOrder as plain pointers.
struct JobOrderView {
    const std::uint32_t* position{};
    const JobId* job_at{};
    const std::uint64_t* key{};      ///< by position
    const std::uint32_t* level{};    ///< of each job, compared before the key; null: not used
    const std::uint16_t* shape_at{}; ///< by position, if all jobs are in one line; otherwise null
    const std::uint32_t* shape_begin{}; ///< of each shape and, last, the number of jobs
    const JobGroup* groups{};
    const std::uint32_t* group_of{};
    const std::uint32_t* tenant_begin{};
    std::uint32_t num_groups{};
    const std::uint32_t* place_begin{};
    const std::int64_t* service_end{}; ///< of each level of service
    const std::uint64_t* service_key{};
    std::uint32_t num_service_levels{};
    bool finds_short{}; ///< short jobs are searched for

    /// The level of a job, if the order compares priority or value first; 0: most urgent.
    [[nodiscard]] BURSAR_HD std::uint64_t level_of(JobId job) const {
        return level == nullptr ? 0 : level[job];
    }

    // For orders by key. Jobs are in lines: one for each shape, or one for all.
    [[nodiscard]] BURSAR_HD bool is_one_line() const { return shape_at != nullptr; }
    [[nodiscard]] BURSAR_HD std::uint32_t num_lines(const PlanView& plan) const {
        return is_one_line() ? 1 : plan.num_shapes;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t line_of(ShapeId shape) const {
        return is_one_line() ? 0 : static_cast<std::uint32_t>(shape);
    }
    [[nodiscard]] BURSAR_HD std::uint32_t begin_of(std::uint32_t line) const {
        return is_one_line() ? 0 : shape_begin[line];
    }
    [[nodiscard]] BURSAR_HD std::uint32_t end_of(std::uint32_t line, const PlanView& plan) const {
        return is_one_line() ? plan.num_jobs : shape_begin[line + 1];
    }
    /// The key that compares jobs of two lines; 0 with one line.
    [[nodiscard]] BURSAR_HD std::uint64_t key_at(std::uint32_t at) const {
        return is_one_line() ? 0 : key[at];
    }
};

/// Calls `visit(pointer, column)` for each pointer of a view and the column of the order that it
/// points to; null if the column is empty.
template <class Visit>
void each_column(JobOrderView& view, const JobOrder& order, const Visit& visit) {
    visit(view.position, order.position);
    visit(view.job_at, order.job_at);
    visit(view.key, order.key);
    visit(view.level, order.level);
    visit(view.shape_at, order.shape_at);
    visit(view.shape_begin, order.shape_begin);
    visit(view.groups, order.groups);
    visit(view.group_of, order.group_of);
    visit(view.tenant_begin, order.tenant_begin);
    visit(view.place_begin, order.place_begin);
    visit(view.service_end, order.service.end);
    visit(view.service_key, order.service.key);
}

/// Valid as long as the order.
inline JobOrderView view_of(const JobOrder& order, const RunOptions& options = {}) {
    JobOrderView view{
        .num_groups = static_cast<std::uint32_t>(order.groups.size()),
        .num_service_levels = static_cast<std::uint32_t>(order.service.end.size()),
        .finds_short = options.reserves_for_head,
    };
    each_column(
        view, order, [](auto& pointer, const auto& column) { pointer = column_or_null(column); });
    return view;
}

}} // namespace bursar::sim
