#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/synth/resample.hpp"
#include "scenarios/traces/trace_options.hpp"

// A trace that is drawn out of the blocks of another.
namespace bursar::resample_test {
namespace {

/// Days 0 to 9; day d has d + 1 jobs, at hours 1, 2, ... of the day, of d + 1 GPUs.
Trace ten_days() {
    Trace trace;
    for (std::int64_t d = 0; d < 10; ++d)
        for (std::int64_t job = 0; job <= d; ++job) {
            trace.submit_ms.push_back(d * day.count() + (job + 1) * hour.count());
            trace.duration_ms.push_back(1000 * (10 * d + job));
            trace.gpus.push_back(static_cast<std::uint32_t>(d + 1));
            trace.tenant.push_back(static_cast<std::uint16_t>(d));
            trace.line.push_back(trace.submit_ms.size() + 1);
            trace.names += "d" + std::to_string(d) + "j" + std::to_string(job);
            trace.name_end.push_back(trace.names.size());
        }
    for (std::int64_t d = 0; d < 10; ++d)
        trace.tenants.push_back("t" + std::to_string(d));
    return trace;
}

TraceOptions blocks_of(Duration length) {
    TraceOptions options;
    options.file = "a.csv";
    options.resample = length;
    return options;
}

std::string refused(const Trace& trace, Duration length) {
    try {
        static_cast<void>(resampled(trace, blocks_of(length), 1));
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("resampled: whole blocks, whose jobs keep their time of the day and all else") {
    const Trace trace = ten_days();
    std::map<std::uint32_t, int> drawn; // by the block's GPUs
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const Trace out = resampled(trace, blocks_of(day), seed);
        REQUIRE(out.duration_ms.size() == out.size());
        REQUIRE(out.name_end.size() == out.size());
        std::map<std::int64_t, std::vector<std::size_t>> by_day;
        for (std::size_t row = 0; row < out.size(); ++row) {
            by_day[out.submit_ms[row] / day.count()].push_back(row);
            const std::size_t from = out.line[row] - 2; // of the trace
            CHECK(out.submit_ms[row] % day.count() == trace.submit_ms[from] % day.count());
            CHECK(out.duration_ms[row] == trace.duration_ms[from]);
            CHECK(out.gpus[row] == trace.gpus[from]);
            CHECK(out.tenants[out.tenant[row]] == trace.tenants[trace.tenant[from]]);
            CHECK(out.name(row) == trace.name(from));
        }
        REQUIRE(by_day.size() == 10);
        for (const auto& [number, rows] : by_day) {
            CHECK(number < 10);
            CHECK(rows.size() == out.gpus[rows.front()]);
            ++drawn[out.gpus[rows.front()]];
        }
    }
    // 2,000 draws of ten blocks: each 200 times, +- 4 sd of 13.4.
    for (std::uint32_t gpus = 1; gpus <= 10; ++gpus)
        CHECK(std::abs(drawn[gpus] - 200) < 54);
}

TEST_CASE("resampled: a last block that the trace ends early does not thin the load") {
    Trace trace; // ten days and six hours of a job each hour
    for (std::int64_t h = 0; h <= 246; ++h) {
        trace.submit_ms.push_back(h * hour.count());
        trace.gpus.push_back(1);
        trace.duration_ms.push_back(1000 * h);
        trace.tenant.push_back(0);
        trace.line.push_back(trace.submit_ms.size() + 1);
    }
    trace.tenants = {"t"};
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const Trace out = resampled(trace, blocks_of(day), seed);
        CHECK(out.submit_ms == trace.submit_ms); // whatever days were drawn
        CHECK(out.duration_ms != trace.duration_ms);
    }
}

TEST_CASE("resampled: equal seeds draw equal traces, and another length other blocks") {
    const Trace trace = ten_days();
    const auto lines = [&](Duration length, std::uint64_t seed) {
        return resampled(trace, blocks_of(length), seed).line;
    };
    CHECK(lines(day, 7) == lines(day, 7));
    CHECK(lines(day, 7) != lines(day, 8));
    CHECK(lines(2 * day, 7) != lines(day, 7));
}

TEST_CASE("resampled: columns without rows stay empty, and the assumption is said") {
    const Trace out = resampled(ten_days(), blocks_of(day), 1);
    CHECK(out.gpu_milli.empty());
    CHECK(out.end.empty());
    CHECK(out.assumed == std::vector<std::string>{
                             "each seed draws 10 blocks of 1 d from those of the trace, with "
                             "replacement; prices, availability and calendars keep their dates"});
}

TEST_CASE("resampled: too few blocks are refused, and too many") {
    const Trace trace = ten_days();
    CHECK(refused(trace, 2 * day).empty());
    CHECK(refused(trace, 3 * day)
              .find("the selected jobs are submitted in 4 blocks of 3 d (blocks "
                    "are drawn from at least 5)") != std::string::npos);
    CHECK(refused(trace, Duration{1}).find("at most 1000000 blocks") != std::string::npos);
}

} // namespace bursar::resample_test
