#include "scenarios/compile/jobs/job_demands.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "scenarios/keys/fleet/fleet_keys.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::int64_t max_demand = std::numeric_limits<std::uint32_t>::max();

/// Amount of a whole gang from one per GPU. Amounts beyond the plan's range exceed every pool.
std::uint32_t of_gang(std::int64_t per_gpu, std::uint32_t gpus) {
    if (per_gpu > max_demand / std::max(1U, gpus))
        return static_cast<std::uint32_t>(max_demand);
    return static_cast<std::uint32_t>(per_gpu * gpus);
}

std::uint32_t or_none(const std::vector<std::uint32_t>& column, std::size_t row) {
    return column.empty() ? 0 : column[row];
}

} // namespace

JobDemands::JobDemands(const Scenario& scenario, const Trace& trace, const Plan& plan)
    : scenario_{scenario}, trace_{trace},
      counts_cpu_{std::ranges::any_of(plan.pools,
                                      [](const PlanPool& pool) { return pool.cpu_milli != 0; })},
      counts_memory_{std::ranges::any_of(
          plan.pools, [](const PlanPool& pool) { return pool.memory_mib != 0; })} {}

JobShape JobDemands::of(std::size_t row, std::uint16_t job_class) const {
    JobShape shape;
    shape.gpus = trace_.gpus[row];
    if (scenario_.policy.sharing == Sharing::slots && shape.gpus == 1 && !trace_.gpu_milli.empty())
        shape.gpu_slots = trace_.gpu_milli[row];
    const ClassSpec none;
    const ClassSpec& own = scenario_.classes.empty() ? none : scenario_.classes[job_class];
    const bool by_class = shape.gpus > 0;
    if (counts_cpu_) {
        shape.cpu_milli = by_class && own.cpu_milli ? of_gang(*own.cpu_milli, shape.gpus)
                                                    : or_none(trace_.cpu_milli, row);
    }
    if (counts_memory_) {
        shape.memory_mib = by_class && own.memory_bytes
                               ? of_gang((*own.memory_bytes + mebibyte - 1) / mebibyte, shape.gpus)
                               : or_none(trace_.memory_mib, row);
    }
    return shape;
}

JobShape JobDemands::with_gpus(JobShape asked, std::uint32_t gpus) {
    const auto of_all = [&](std::uint32_t amount) {
        return of_gang((std::int64_t{amount} + asked.gpus - 1) / asked.gpus, gpus);
    };
    asked.cpu_milli = of_all(asked.cpu_milli);
    asked.memory_mib = of_all(asked.memory_mib);
    asked.gpus = gpus;
    return asked;
}

std::vector<std::string> JobDemands::assumed() const {
    std::vector<std::string> notes;
    std::size_t shared = 0;
    std::size_t gangs = 0;
    for (std::size_t row = 0; row < trace_.gpu_milli.size(); ++row) {
        if (trace_.gpu_milli[row] < slots_per_gpu)
            ++(trace_.gpus[row] == 1 ? shared : gangs);
    }
    const bool slots = scenario_.policy.sharing == Sharing::slots;
    if (shared > 0 && slots)
        notes.push_back(fmt::format(
            "{} jobs get a part of a GPU and are not slowed by others on it (sharing: slots)",
            shared));
    if (!slots && shared + gangs > 0)
        notes.push_back(
            fmt::format("{} jobs request a share of a GPU and get a whole one (sharing: exclusive)",
                        shared + gangs));
    if (slots && gangs > 0)
        notes.push_back(
            fmt::format("{} jobs request shares of several GPUs and get whole ones", gangs));
    const auto asks = [](const std::vector<std::uint32_t>& column) {
        return std::ranges::any_of(column, [](std::uint32_t amount) { return amount > 0; });
    };
    if (asks(trace_.cpu_milli) && !counts_cpu_)
        notes.emplace_back("jobs request CPU and no pool gives its `cpu`: CPU is unlimited");
    if (asks(trace_.memory_mib) && !counts_memory_)
        notes.emplace_back(
            "jobs request memory and no pool gives its `memory`: memory is unlimited");
    return notes;
}

}} // namespace bursar::scenarios
