#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/attempts/resumed_jobs.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"

namespace bursar::resumed_jobs_test {

TEST_CASE("the first stopped job of each shape comes first") {
    const Plan plan = test::plan_of({{0, 1, 1}, {0, 1, 2}, {0, 1, 4}}, {test::pool_of(1, 4)});
    CHECK(check_property([&] {
        constexpr std::uint32_t capacity = 25;
        test::ArenaBlock<ResumedJobs> block{[&](ArenaCarver& carver) {
            return ResumedJobs{carver, view_of(plan), capacity};
        }};
        ResumedJobs& jobs = block.content;
        jobs.clear();
        std::vector<std::vector<WaitingJob>> expected(3);
        std::uint32_t next = 0;
        for (int step = drawn::in_range(0, 150); step > 0; --step) {
            const ShapeId shape{drawn::in_range(0U, 3U)};
            std::vector<WaitingJob>& own = expected[shape];
            if (!jobs.full() && drawn::in_range(0, 3) > 0) {
                WaitingJob job;
                job.rank = {drawn::in_range<std::uint64_t>(0, 5), next};
                job.job = JobId{next++};
                job.shape = shape;
                jobs.insert(job);
                own.push_back(job);
                std::ranges::sort(
                    own, [](const WaitingJob& a, const WaitingJob& b) { return a.rank < b.rank; });
            } else if (!own.empty()) {
                RC_ASSERT(jobs.head_of(shape).job == own.front().job);
                jobs.take_head(shape);
                own.erase(own.begin());
            }
            RC_ASSERT(jobs.num_pending(shape) == own.size());
            std::size_t num_jobs = 0;
            for (const auto& of_shape : expected)
                num_jobs += of_shape.size();
            RC_ASSERT(jobs.num_jobs() == num_jobs);
            RC_ASSERT(jobs.full() == (num_jobs == capacity));
        }
    }));
}

} // namespace bursar::resumed_jobs_test
