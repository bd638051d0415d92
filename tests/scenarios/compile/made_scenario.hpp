#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"
#include "scenarios/traces/trace_options.hpp"

/// Scenarios and traces made in memory, for tests of compile().
namespace bursar::test {

inline PoolSpec
pool_spec(std::string name, std::string gpu, std::int64_t nodes, std::int64_t per_node) {
    PoolSpec pool;
    pool.name = std::move(name);
    pool.gpu = std::move(gpu);
    pool.nodes = nodes;
    pool.gpus_per_node = per_node;
    pool.rate = MoneyRate{1};
    return pool;
}

inline Scenario scenario_of(std::vector<PoolSpec> fleet) {
    Scenario scenario;
    scenario.file = "s.yaml";
    scenario.workload = TraceOptions{.file = "t.csv",
                                     .format = {},
                                     .columns = {},
                                     .select = {},
                                     .scale = {},
                                     .on_bad_row = OnBadRow::error,
                                     .start = {},
                                     .zone = "UTC"};
    scenario.fleet = std::move(fleet);
    return scenario;
}

/// Rows in seconds: submit, duration, gpus.
inline Trace trace_of(const std::vector<std::array<std::int64_t, 3>>& rows) {
    Trace trace;
    trace.tenants = {"all"};
    trace.gpu_type_sets = {{}};
    for (const auto& [submit, duration, gpus] : rows) {
        trace.submit_ms.push_back(submit * 1000);
        trace.duration_ms.push_back(duration * 1000);
        trace.gpus.push_back(static_cast<std::uint32_t>(gpus));
        trace.line.push_back(trace.line.size() + 2);
    }
    return trace;
}

} // namespace bursar::test
