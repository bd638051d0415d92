#include "tests/policies/properties/random_plan.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"
#include "tests/random_saves.hpp"

namespace bursar::test {
namespace {

PlanClass draw_class(const PlanRange& range) {
    PlanClass job_class;
    if (range.with_overheads) {
        job_class.startup = drawn::in_range(0, 4) * second;
        job_class.teardown = drawn::in_range(0, 3) * second;
        job_class.recovery = drawn::in_range(0, 4) * second;
    }
    if (range.with_pairs)
        job_class.teardown = {};
    else if (range.with_every_save)
        draw_saves(job_class, second.count(), 5);
    return job_class;
}

std::vector<PlanPool> draw_pools(const PlanRange& range) {
    std::vector<PlanPool> pools;
    const int num_pools = drawn::in_range(1, range.max_pools + 1);
    for (int p = 0; p < num_pools; ++p)
        pools.push_back(pool_of(drawn::in_range(1U, 5U), drawn::in_range(1U, 5U)));
    return pools;
}

/// Adds details of nodes: CPU, memory and shares. Every shape still fits every pool that it may
/// use.
void draw_details(Plan& plan) {
    for (PlanPool& pool : plan.pools)
        pool.cpu_milli = 1000 * pool.gpus_per_node * drawn::in_range(1U, 3U);
    for (JobShape& shape : plan.shapes) {
        shape.cpu_milli = drawn::in_range(0U, 1001U) * shape.gpus;
        if (shape.gpus != 1)
            continue;
        shape.gpu_slots = drawn::one_of<std::uint16_t>(250, 500, 900, 1000, 1000);
        if (drawn::in_range(0, 4) == 0) {
            shape.gpus = 0;
            shape.gpu_slots = slots_per_gpu;
            shape.cpu_milli = drawn::in_range(1U, 1001U);
        }
    }
}

/// The columns that only some policies read.
void draw_wishes(Plan& plan, const PlanRange& range) {
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        plan.priority.push_back(drawn::in_range(-2, 3));
        const std::int64_t slack = drawn::in_range<std::int64_t>(-1, 40);
        plan.deadline_ms.push_back(slack < 0 ? no_deadline_ms : plan.submit_ms[job] + 1000 * slack);
        plan.value_nano_usd.push_back(drawn::in_range<std::int64_t>(0, 5) * 1'000'000'000);
        if (range.with_estimates)
            plan.estimate_ms.push_back(drawn::in_range<std::int64_t>(0, 15'000));
    }
    for (std::uint32_t tenant = 0; tenant < plan.num_tenants; ++tenant)
        plan.tenant_weight.push_back(drawn::in_range(1U, 4U));
}

std::uint16_t number_of(Plan& plan, const JobShape& shape) {
    const auto known = std::ranges::find(plan.shapes, shape);
    if (known != plan.shapes.end())
        return static_cast<std::uint16_t>(known - plan.shapes.begin());
    plan.shapes.push_back(shape);
    return static_cast<std::uint16_t>(plan.shapes.size() - 1);
}

PlanSpeed draw_speed_on(std::int64_t slots) {
    PlanSpeed out;
    out.speed = drawn::in_range<std::int64_t>(reference_speed / 8, 3 * reference_speed);
    out.interval_ms = drawn::in_range(0, 8);
    std::int64_t left = slots;
    for (std::int64_t& stalled : out.stalled_slots) {
        stalled = drawn::in_range<std::int64_t>(0, left + 1);
        left -= stalled;
    }
    return out;
}

/// A class as `job_class`, with speeds on that many slots.
std::uint16_t add_class(Plan& plan, PlanClass job_class, std::int64_t slots) {
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        plan.speeds.push_back(draw_speed_on(slots));
    job_class.speed_row = static_cast<std::uint16_t>(plan.speeds.size() / plan.pools.size());
    plan.classes.push_back(job_class);
    return static_cast<std::uint16_t>(plan.classes.size() - 1);
}

/// A form of jobs of a class and shape with that many GPUs; absent if no pool has as many.
std::optional<PlanForm>
draw_form(Plan& plan, PlanClass job_class, JobShape shape, std::uint32_t gpus) {
    const bool is_asked = shape.gpus == gpus;
    shape.gpus = gpus;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        if (!is_asked && plan.pools[pool].num_gpus() < gpus)
            shape.permitted_pools &= ~(std::uint64_t{1} << pool);
    if (shape.permitted_pools == 0)
        return std::nullopt;
    return PlanForm{number_of(plan, shape), add_class(plan, job_class, shape.slots())};
}

/// Some jobs may have other numbers of GPUs. Each pair of a class and a shape becomes one class.
void draw_forms(Plan& plan) {
    std::map<std::pair<std::uint16_t, std::uint16_t>, std::uint16_t> known;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const auto [at, is_new] =
            known.try_emplace({plan.job_class[job], plan.shape[job]}, plan.job_class[job]);
        if (is_new && drawn::in_range(0, 4) > 0) {
            const JobShape asked = plan.shapes[plan.shape[job]];
            PlanClass own = plan.classes[plan.job_class[job]];
            own.rescale = Duration{drawn::in_range(0, 4)};
            own.is_moldable = drawn::in_range(0, 4) == 0;
            const std::uint32_t most = asked.gpus + drawn::in_range(0U, 7U);
            const std::size_t begin = plan.forms.size();
            for (std::uint32_t gpus = 1; gpus <= most; ++gpus) {
                if (gpus != asked.gpus && drawn::boolean())
                    continue;
                if (const auto form = draw_form(plan, own, asked, gpus)) {
                    plan.forms.push_back(*form);
                    if (gpus == asked.gpus)
                        at->second = form->job_class;
                }
            }
            plan.classes[at->second].form_begin = static_cast<std::uint32_t>(begin);
            plan.classes[at->second].num_forms =
                static_cast<std::uint32_t>(plan.forms.size() - begin);
        }
        plan.job_class[job] = at->second;
    }
}

/// Some jobs with as many GPUs may share them. Each pair of a class and a shape becomes one class.
void draw_pairs(Plan& plan) {
    std::map<std::pair<std::uint16_t, std::uint16_t>, std::uint16_t> known;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const std::uint16_t shape = plan.shape[job];
        const auto [at, is_new] = known.try_emplace({plan.job_class[job], shape});
        if (is_new)
            at->second =
                add_class(plan, plan.classes[plan.job_class[job]], plan.shapes[shape].slots());
        plan.job_class[job] = at->second;
    }
    std::map<std::pair<std::uint16_t, std::uint16_t>, PlanPair> pairs;
    for (const auto& [first, one] : known) {
        for (const auto& [second, other] : known) {
            if (plan.shapes[first.second].gpus != plan.shapes[second.second].gpus || one > other ||
                drawn::in_range(0, 4) == 0)
                continue;
            const std::uint64_t pools =
                drawn::in_range<std::uint64_t>(1, std::uint64_t{1} << plan.pools.size());
            for (const auto& [own, partner, shape] :
                 {std::tuple{one, other, first.second}, std::tuple{other, one, second.second}}) {
                JobShape half = plan.shapes[shape];
                half.gpu_slots = slots_per_gpu / 2;
                if (!pairs.contains({own, partner}))
                    pairs[{own, partner}] = {own,
                                             partner,
                                             number_of(plan, half),
                                             add_class(plan, plan.classes[own], half.slots()),
                                             pools};
            }
        }
    }
    for (const auto& [key, pair] : pairs)
        plan.pairs.push_back(pair);
}

} // namespace

PlanSpeed draw_plan_speed(std::uint32_t gpus) {
    return draw_speed_on(gpus * slots_per_gpu);
}

Plan draw_plan(const PlanRange& range) {
    std::vector<PlanPool> pools = draw_pools(range);
    const auto num_pools = static_cast<unsigned>(pools.size());
    const int num_classes = drawn::in_range(1, 3);
    std::vector<JobSpec> jobs;
    const int num_jobs = drawn::in_range(1, range.max_jobs + 1);
    std::int64_t submit = 0;
    for (int j = 0; j < num_jobs; ++j) {
        submit += j == 0 ? 0 : drawn::in_range(0, 6);
        JobSpec job{submit, drawn::in_range(0, 12)};
        job.permitted_pools = drawn::in_range<std::uint64_t>(1, 1U << num_pools);
        std::uint32_t most = 0; // the largest pool it may use bounds its gang
        for (unsigned p = 0; p < num_pools; ++p) {
            if ((job.permitted_pools >> p & 1U) != 0)
                most = std::max(most, static_cast<std::uint32_t>(pools[p].num_gpus()));
        }
        job.gpus = drawn::in_range(1U, most + 1);
        job.tenant = drawn::in_range<std::uint16_t>(0, 3);
        job.job_class = drawn::in_range<std::uint16_t>(0, static_cast<std::uint16_t>(num_classes));
        jobs.push_back(job);
    }
    if (range.with_room_for_all) {
        for (PlanPool& pool : pools)
            pool.num_nodes *= static_cast<std::uint32_t>(4 * num_jobs);
    }
    Plan plan = plan_of(jobs, pools);
    std::rotate(plan.pool_preference.begin(),
                plan.pool_preference.begin() + drawn::in_range(0U, num_pools),
                plan.pool_preference.end());
    plan.classes.clear();
    for (int c = 0; c < num_classes; ++c)
        plan.classes.push_back(draw_class(range));
    if (range.with_details && !range.with_speeds) // whose stalls are of whole GPUs
        draw_details(plan);
    draw_wishes(plan, range);
    if (range.with_speeds) {
        to_milliseconds(plan);
        give_speeds(plan, draw_plan_speed);
        if (range.with_forms)
            draw_forms(plan);
        if (range.with_pairs)
            draw_pairs(plan);
    }
    return plan;
}

Duration generous_end(const Plan& plan) {
    std::int64_t sum = plan.submit_ms.back() + 1000;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const PlanClass& job_class = plan.classes[plan.job_class[job]];
        sum += 8 * 100 * (plan.work_ms[job] + 1000) +
               100 * (job_class.startup + job_class.recovery + job_class.teardown).count() +
               100 * (plan.work_ms[job] + 1) * job_class.save.count() / 100;
    }
    return Duration{sum};
}

} // namespace bursar::test
