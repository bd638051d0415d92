#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "sim/plan_file/plan_file.hpp"

#include "scenarios/compile/compile.hpp"
#include "scenarios/traces/trace.hpp"

#include "tests/scenarios/compile/made_scenario.hpp"

namespace bursar::row_plans_test {
namespace {

std::vector<std::byte> bytes_of(const Plan& plan) {
    PlanFileWriter file;
    add_plan(plan, file);
    return std::move(file).finish();
}

/// Rows of few kinds, with all columns that a plan uses.
Trace random_trace(std::uint32_t seed, std::size_t num_rows) {
    std::mt19937 random{seed};
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    Trace trace = test::trace_of({});
    trace.gpu_type_sets = {{}, {"V100-SXM2-16GB"}, {"A100-SXM4-40GB", "V100-SXM2-16GB"}};
    trace.ran_on_gpus = {"", "A100-SXM4-40GB"};
    trace.tenants = {"a", "b", "c"};
    for (std::size_t row = 0; row < num_rows; ++row) {
        trace.submit_ms.push_back(std::int64_t{1000} * below(5000));
        trace.duration_ms.push_back(std::int64_t{1000} * below(100'000));
        trace.gpus.push_back(1U << below(5));
        trace.gpu_types.push_back(static_cast<std::uint16_t>(below(3)));
        trace.ran_on.push_back(static_cast<std::uint16_t>(below(2)));
        trace.tenant.push_back(static_cast<std::uint16_t>(below(3)));
        trace.gpu_milli.push_back(below(2) == 0 ? 1000 : 250);
        trace.cpu_milli.push_back(1000 * below(3));
        trace.line.push_back(row + 2);
    }
    return trace;
}

/// Some have classes by tenant, which is not part of a row's kind.
Scenario random_scenario(std::uint32_t seed) {
    Scenario scenario = test::scenario_of({test::pool_spec("a", "A100-SXM4-40GB", 3, 8),
                                           test::pool_spec("b", "V100-SXM2-16GB", 4, 4)});
    scenario.fleet[0].cpu_milli = 64'000;
    scenario.fleet[1].cpu_milli = 32'000;
    scenario.policy.sharing = Sharing::slots;
    ClassSpec theirs;
    theirs.match = ClassMatch{.gpus = CountRange{2, std::nullopt}, .tenants = {}};
    if (seed % 3 == 0)
        theirs.match->tenants = {"b"};
    theirs.startup.whole = minute;
    scenario.classes = {theirs, ClassSpec{}};
    return scenario;
}

} // namespace

TEST_CASE("rows of one kind compile to the same plan as each row alone") {
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        const Scenario scenario = random_scenario(seed);
        Trace alike = random_trace(seed, 400);
        if (seed % 2 == 0)
            std::ranges::sort(alike.submit_ms);
        Trace apart = alike; // by memory, which no pool is short of
        for (std::size_t row = 0; row < apart.size(); ++row)
            apart.memory_mib.push_back(static_cast<std::uint32_t>(row));
        const Compiled once = compile(scenario, builtin_catalogue(), alike);
        alike.kinds = std::make_shared<const RowKinds>(alike); // as a sweep keeps them
        const Compiled kept = compile(scenario, builtin_catalogue(), alike);
        CHECK(bytes_of(once.plan) == bytes_of(kept.plan));
        const Compiled each = compile(scenario, builtin_catalogue(), apart);
        CHECK(once.plan.shapes.size() > 10);
        CHECK(once.plan.classes.size() > 2);
        CHECK(bytes_of(once.plan) == bytes_of(each.plan));
        CHECK(once.scenario_class == each.scenario_class);
        CHECK(once.notes.decisive == each.notes.decisive);
    }
}

TEST_CASE("rows differ in kind by everything that affects the plan") {
    Trace trace = random_trace(1, 1);
    trace.memory_mib = {0};
    const auto repeat = [](auto& column) { column.resize(8, column.front()); };
    repeat(trace.submit_ms);
    repeat(trace.duration_ms);
    repeat(trace.gpus);
    repeat(trace.cpu_milli);
    repeat(trace.memory_mib);
    repeat(trace.gpu_milli);
    repeat(trace.gpu_types);
    repeat(trace.ran_on);
    ++trace.gpus[1];
    ++trace.cpu_milli[2];
    ++trace.memory_mib[3];
    ++trace.gpu_milli[4];
    ++trace.gpu_types[5];
    ++trace.ran_on[6];
    ++trace.submit_ms[7];
    ++trace.duration_ms[7];
    const RowKinds kinds{trace};
    CHECK(kinds.of_rows() == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 0});
    REQUIRE(kinds.kinds().size() == 7);
    CHECK(kinds.kinds()[0].num_rows == 2);
    CHECK(kinds.kinds()[6].first_row == 6);
    CHECK(kinds.max_duration_ms() == trace.duration_ms[7]);
    CHECK(kinds.is_sorted());
    trace.submit_ms[0] = trace.submit_ms[7] + 1;
    CHECK_FALSE(RowKinds{trace}.is_sorted());
}

TEST_CASE("thousands of different rows have thousands of kinds") {
    Trace trace = test::trace_of({});
    constexpr std::uint32_t num_rows = 5000;
    for (std::uint32_t row = 0; row < 2 * num_rows; ++row) {
        trace.gpus.push_back(row % num_rows * (row % num_rows));
        trace.submit_ms.push_back(row);
    }
    const RowKinds kinds{trace};
    CHECK(kinds.kinds().size() == num_rows);
    bool all = true;
    for (std::uint32_t row = 0; row < 2 * num_rows; ++row)
        all = all && kinds.of_rows()[row] == row % num_rows;
    CHECK(all);
}

} // namespace bursar::row_plans_test
