#include <algorithm>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "reports/compare/job_changes.hpp"
#include "reports/result/result.hpp"

#include "tests/properties.hpp"

namespace bursar::job_changes_test {
namespace {

struct Job {
    std::uint64_t id{};
    std::optional<std::int64_t> jct_ms;
};

JobTimes times_of(const std::vector<Job>& jobs) {
    JobTimes times;
    for (const Job& job : jobs) {
        times.ids.push_back(job.id);
        times.jct_ms.push_back(job.jct_ms.value_or(0));
        times.is_finished.push_back(job.jct_ms.has_value());
    }
    return times;
}

} // namespace

// By hand: 1 takes half as long, 2 as long, 3 three times as long, 4 half as long again. 5 finished
// in the base only, 6 in the variant only, 7 in neither; 8 and 9 are in one of them.
TEST_CASE("jobs of two runs are paired by id, whatever their order") {
    const JobTimes base = times_of({{1, 1000},
                                    {2, 5000},
                                    {3, 2000},
                                    {4, 8000},
                                    {5, 10},
                                    {6, std::nullopt},
                                    {7, std::nullopt},
                                    {8, 10}});
    const JobTimes variant = times_of({{9, 7},
                                       {7, std::nullopt},
                                       {6, 10},
                                       {5, std::nullopt},
                                       {4, 4000},
                                       {3, 6000},
                                       {2, 5000},
                                       {1, 500}});
    const JobChanges changes = job_changes(base, variant);
    CHECK(changes.gained == 2);
    CHECK(changes.equal == 1);
    CHECK(changes.lost == 1);
    CHECK(changes.pairs() == 4);
    CHECK(changes.base_only == 1);
    CHECK(changes.variant_only == 1);
    CHECK(changes.neither == 1);
    CHECK(changes.unpaired == 2);
    CHECK(changes.base_only_ms == std::vector<std::int64_t>{10});
    CHECK(changes.variant_only_ms == std::vector<std::int64_t>{10});
    CHECK(changes.ratio == 0.75); // of 0.5, 0.5, 1 and 3
    CHECK(changes.ratio_of_gained == 0.5);
    CHECK(changes.ratio_of_lost == 3.0);
    CHECK_FALSE(changes.is_binned());
    CHECK(changes.points.base_ms == std::vector<std::int64_t>{1000, 2000, 5000, 8000});
    CHECK(changes.points.variant_ms == std::vector<std::int64_t>{500, 6000, 5000, 4000});
    CHECK(
        changes_sentence(changes, "fifo") ==
        "of 4 jobs that finished in both, 2 gained (a shorter JCT than in fifo), 1 lost, 1 took as "
        "long; in the median who gained took 0.5 times as long, who lost 3 times; 1 finished in "
        "fifo alone, 1 here alone");
}

TEST_CASE("jobs of no length count, and have no ratio") {
    const JobChanges changes = job_changes(times_of({{1, 0}, {2, 0}}), times_of({{1, 0}, {2, 10}}));
    CHECK(changes.equal == 1);
    CHECK(changes.lost == 1);
    CHECK_FALSE(changes.ratio);
    CHECK(changes.points.size() == 2);
    CHECK(job_changes({}, {}).pairs() == 0);
}

TEST_CASE("JCTs of jobs that finished in one run only are rounded as on a page") {
    std::vector<Job> base;
    std::vector<Job> variant;
    for (std::uint64_t i = 0; i < 5000; ++i) {
        base.push_back({i, static_cast<std::int64_t>(1'000'000 + i)}); // in one cell or two
        variant.push_back({i, std::nullopt});
    }
    base.push_back({5000, 90'000'000});
    variant.push_back({5000, std::nullopt});
    const JobChanges changes = job_changes(times_of(base), times_of(variant));
    CHECK(changes.base_only == 5001);
    CHECK(changes.base_only_ms.size() <= 3);
    CHECK(changes.base_only_ms.back() == 90'000'000);
    CHECK(changes.variant_only_ms.empty());
}

TEST_CASE("several jobs of one name are paired in their order") {
    const JobChanges changes =
        job_changes(times_of({{1, 10}, {1, 20}, {1, 30}}), times_of({{1, 10}, {1, 30}}));
    CHECK(changes.equal == 1);
    CHECK(changes.lost == 1);
    CHECK(changes.unpaired == 1);
}

TEST_CASE("any number of jobs is reduced to a few points, on the correct sides") {
    CHECK(check_property([] {
        const auto num_jobs = drawn::one_of<std::size_t>(0, 3, 2000, 2001, 6000);
        const auto most_ms = drawn::one_of<std::int64_t>(3, 100'000, 1'000'000'000'000);
        std::uint64_t state = drawn::bits();
        const auto draw = [&] { // spread over the decades
            state = state * 6364136223846793005U + 1442695040888963407U;
            const auto fraction = static_cast<std::int64_t>(state >> 33U);
            return (fraction % most_ms) >> (fraction % 37);
        };
        std::vector<Job> base;
        std::vector<Job> variant;
        for (std::size_t i = 0; i < num_jobs; ++i) {
            base.push_back({i, draw()});
            variant.push_back({i, i % 3 == 0 ? base.back().jct_ms : draw()});
        }
        const JobChanges changes = job_changes(times_of(base), times_of(variant));
        const JobPoints& points = changes.points;
        RC_ASSERT(points.size() <= most_job_points);
        RC_ASSERT(points.base_ms.size() == points.size());
        RC_ASSERT(points.variant_ms.size() == points.size());
        std::uint64_t gained = 0;
        std::uint64_t equal = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            RC_ASSERT(points.jobs[i] >= 1U);
            gained += points.variant_ms[i] < points.base_ms[i] ? points.jobs[i] : 0;
            equal += points.variant_ms[i] == points.base_ms[i] ? points.jobs[i] : 0;
        }
        RC_ASSERT(gained == changes.gained);
        RC_ASSERT(equal == changes.equal);
        RC_ASSERT(std::accumulate(points.jobs.begin(), points.jobs.end(), std::uint64_t{0}) ==
                  changes.pairs());
        RC_ASSERT(changes.pairs() == num_jobs);
    }));
}

TEST_CASE("ratios have three digits, large ones all before the point") {
    CHECK(jct_ratio_text(0.83333) == "0.833");
    CHECK(jct_ratio_text(1) == "1");
    CHECK(jct_ratio_text(12'345.6) == "12,346");
}

} // namespace bursar::job_changes_test
