#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "scenarios/trace_formats/read_trace.hpp"
#include "scenarios/traces/trace_summary.hpp"

#include "tests/scenarios/traces/read_text.hpp"
#include "tests/shared_data.hpp"

namespace bursar::trace_summary_test {

TEST_CASE("four jobs by hand") {
    // Submits 0, 10, 10, 40 s: gaps 10, 0, 30, mean 40/3, variance ((10-40/3)^2 + ... ) / 3.
    const TraceSummary s = summarise(test::read_text("submit,duration,gpus,gpu_milli,state\n"
                                                     "10,20,4,1000,completed\n"
                                                     "0,10,2,1000,failed\n"
                                                     "40,100,1,250,completed\n"
                                                     "10,5,2,1000,cancelled\n"));
    CHECK(s.jobs == 4);
    CHECK(s.tenants == 1);
    CHECK((s.gpu_time == slot_time(80'000 + 20'000 + 25'000 + 10'000, second)));
    CHECK((s.span == 40 * second));
    CHECK(s.mean_gpus == 2.0625); // a quarter of a GPU is a quarter
    CHECK(s.median_gpus == 2.0);
    CHECK(s.duration.mean_ms == 33'750);
    CHECK(s.duration.median_ms == 15'000); // between 10 and 20 s
    CHECK(s.duration.p90_ms == 76'000);    // 0.7 of the way from 20 to 100 s
    CHECK(s.duration.max_ms == 100'000);
    CHECK(s.mean_interarrival_ms == doctest::Approx(40'000.0 / 3)); // one division
    CHECK(s.interarrival_cv == doctest::Approx(std::sqrt(1400.0 / 9) / (40.0 / 3)));
    CHECK(s.peak_slots == 6'000); // at 10 s the first job has ended
    CHECK(s.offered_load(1) == doctest::Approx(135.0 / 40));

    REQUIRE(s.gangs.size() == 3);
    CHECK(s.gangs[1].gpus == 2);
    CHECK(s.gangs[1].jobs == 2);
    CHECK(s.gangs[1].job_share == 0.5);
    CHECK(s.gangs[1].gpu_time_share == doctest::Approx(30.0 / 135));

    CHECK(s.has_states);
    CHECK(s.ends[static_cast<std::size_t>(JobEnd::completed)].jobs == 2);
    CHECK(s.ends[static_cast<std::size_t>(JobEnd::completed)].gpu_time_share ==
          doctest::Approx(105.0 / 135));
    CHECK(s.ends[static_cast<std::size_t>(JobEnd::node_failed)].jobs == 0);
}

TEST_CASE("medians of an even number of jobs are in the middle") {
    const TraceSummary s =
        summarise(test::read_text("submit,duration,gpus\n0,0.001,1\n0,0.002,2\n"));
    CHECK(s.duration.median_ms == 1.5);
    CHECK(s.median_gpus == 1.5);
}

TEST_CASE("one job has no gaps and no span") {
    const TraceSummary s = summarise(test::read_text("submit,duration,gpus\n7,0,3\n"));
    CHECK(s.mean_interarrival_ms == 0);
    CHECK(s.interarrival_cv == 0);
    CHECK(s.offered_load(10) == std::numeric_limits<double>::infinity());
    CHECK(s.peak_slots == 0); // its run time is zero
    CHECK(s.gangs[0].gpu_time_share == 0);
    CHECK_FALSE(s.has_states);
}

TEST_CASE("Philly's statistics, as computed by a script from the same file") {
    const auto path = test::shared_data("data/jobs-philly/philly.csv.gz");
    if (!path)
        return;
    const TraceSummary s = summarise(read_trace(test::options_for(path->string())));
    CHECK(s.jobs == 68'063);
    CHECK(s.tenants == 14);
    CHECK((s.gpu_time == test::gpu_seconds(2'904'380'147)));
    CHECK((s.span == 6'614'490 * second));
    CHECK(s.duration.mean_ms == doctest::Approx(13'018'307.89));
    CHECK(s.duration.median_ms == 1'190'000);
    CHECK(s.duration.p90_ms == 10'772'800);
    CHECK(s.duration.p99_ms == 260'154'360);
    CHECK(s.duration.max_ms == 4'628'226'000);
    CHECK(s.interarrival_cv == doctest::Approx(16.57619301589575));
    CHECK(s.peak_slots == 1'243'000);
    CHECK(s.gangs.size() == 8);
    CHECK(s.gangs[0].jobs == 63'847);
    CHECK(s.gangs[4].gpus == 12);
    CHECK(s.gangs[4].jobs == 7);
}

TEST_CASE("openb's shares: peak demand counts thousandths of a GPU") {
    const auto path =
        test::shared_data("data/jobs-alibaba-openb2023/openb_pod_list_default.csv.gz");
    if (!path)
        return;
    TraceOptions options = test::options_for(path->string());
    options.select.gpus = CountRange{1, {}};
    const TraceSummary s = summarise(read_trace(options));
    CHECK(s.peak_slots == 65'590);
    CHECK(s.interarrival_cv == doctest::Approx(20.158126313843805));
    CHECK(s.duration.median_ms == 545'000);
}

} // namespace bursar::trace_summary_test
