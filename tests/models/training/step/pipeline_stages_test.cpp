#include <algorithm>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "models/errors/model_error.hpp"
#include "models/training/step/pipeline_stages.hpp"

#include "tests/models/training/step/pipeline_schedule.hpp"
#include "tests/properties.hpp"

namespace bursar::test::pipeline_stages_test {
using doctest::Approx;

namespace {

Seconds closed_form(const std::vector<StageTime>& stages, std::int64_t chunks, std::int64_t m) {
    Seconds slowest{};
    Seconds sum{};
    for (const StageTime& stage : stages) {
        slowest = std::max(slowest, stage.both());
        sum += stage.both();
    }
    return pipeline_makespan(slowest, sum, chunks, m);
}

StageTime any_stage() {
    return {Seconds{drawn::in_range(1, 1000) * 1e-3}, Seconds{drawn::in_range(1, 2000) * 1e-3}};
}

bool close(Seconds a, Seconds b) {
    return std::abs(a.count() - b.count()) <= 1e-9 * b.count();
}

} // namespace

TEST_CASE("bubble of eight stages and 64 micro-batches") { // FORMULAS 9.5
    CHECK(bubble_ratio(8, 1, 64) == Approx(0.109).epsilon(0.005));
    CHECK(bubble_ratio(8, 3, 64) == Approx(0.036).epsilon(0.02));
    CHECK(bubble_share(8, 1, 64) == Approx(7.0 / 71));
    CHECK(bubble_ratio(1, 1, 64) == 0);
}

TEST_CASE("a schedule worked by hand: two stages, two micro-batches, f = 1, b = 2") {
    // stage 0: F0 0-1, F1 1-2, B0 4-6, B1 7-9; stage 1: F0 1-2, B0 2-4, F1 4-5, B1 5-7.
    const std::vector<StageTime> stages(2, StageTime{Seconds{1}, Seconds{2}});
    CHECK(play_pipeline(PipelineSchedule::one_f_one_b, stages, 1, 2) == Seconds{9});
    CHECK(closed_form(stages, 1, 2) == Seconds{9});
}

TEST_CASE("orders") {
    const auto text = [](PipelineSchedule schedule, std::int64_t rank, std::int64_t chunks) {
        std::string out;
        for (const PipelineOp& op : pipeline_order(schedule, rank, 2, chunks, 4))
            out += (op.backward ? "B" : "F") + std::to_string(op.chunk) +
                   std::to_string(op.micro_batch) + " ";
        return out;
    };
    CHECK(text(PipelineSchedule::gpipe, 0, 1) == "F00 F01 F02 F03 B03 B02 B01 B00 ");
    CHECK(text(PipelineSchedule::one_f_one_b, 0, 1) == "F00 F01 B00 F02 B01 F03 B02 B03 ");
    CHECK(text(PipelineSchedule::one_f_one_b, 1, 1) == "F00 B00 F01 B01 F02 B02 F03 B03 ");
    // Narayanan 2021, figure 4: two ranks of two chunks go in groups of two micro-batches.
    CHECK(text(PipelineSchedule::interleaved, 1, 2) ==
          "F00 F01 F10 B10 F11 B11 F02 B00 F03 B01 F12 B12 F13 B13 B02 B03 ");
    CHECK_THROWS_AS((void)pipeline_order(PipelineSchedule::interleaved, 0, 3, 2, 4), ModelError);
}

TEST_CASE("schedules played out") {
    CHECK(check_property("equal the closed form for equal stages", [] {
        const auto ranks = drawn::in_range<std::int64_t>(1, 9);
        const auto chunks = drawn::in_range<std::int64_t>(2, 5);
        const auto groups = drawn::in_range<std::int64_t>(1, 6);
        const auto m = drawn::in_range<std::int64_t>(1, 30);
        const std::vector<StageTime> stages(static_cast<std::size_t>(ranks), any_stage());
        RC_ASSERT(
            close(play_pipeline(PipelineSchedule::gpipe, stages, 1, m), closed_form(stages, 1, m)));
        RC_ASSERT(close(play_pipeline(PipelineSchedule::one_f_one_b, stages, 1, m),
                        closed_form(stages, 1, m)));
        RC_ASSERT(
            close(play_pipeline(PipelineSchedule::interleaved, stages, chunks, groups * ranks),
                  closed_form(stages, chunks, groups * ranks)));
    }));
    CHECK(check_property("equal it when the last stage also has the loss", [] {
        const auto ranks = drawn::in_range<std::size_t>(2, 9);
        const auto m = static_cast<std::int64_t>(ranks) + drawn::in_range<std::int64_t>(0, 30);
        std::vector<StageTime> stages(ranks, any_stage());
        stages.back().forward += any_stage().forward;
        stages.back().backward += any_stage().backward;
        RC_ASSERT(close(play_pipeline(PipelineSchedule::one_f_one_b, stages, 1, m),
                        closed_form(stages, 1, m)));
    }));
    CHECK(check_property("of uneven stages are never below the slowest stage's work", [] {
        const auto stages = *rc::gen::container<std::vector<StageTime>>(
            4, rc::gen::exec([] { return any_stage(); }));
        const auto m = drawn::in_range<std::int64_t>(1, 20);
        Seconds slowest{};
        for (const StageTime& stage : stages)
            slowest = std::max(slowest, stage.both());
        RC_ASSERT(play_pipeline(PipelineSchedule::one_f_one_b, stages, 1, m) >=
                  slowest * static_cast<double>(m) * (1 - 1e-12));
    }));
    CHECK(check_property("waste a smaller share with more micro-batches and more chunks", [] {
        const auto p = drawn::in_range<std::int64_t>(2, 65);
        const auto v = drawn::in_range<std::int64_t>(1, 9);
        const auto m = drawn::in_range<std::int64_t>(1, 513);
        RC_ASSERT(bubble_share(p, v, m + 1) < bubble_share(p, v, m));
        RC_ASSERT(bubble_share(p, v + 1, m) < bubble_share(p, v, m));
    }));
}

} // namespace bursar::test::pipeline_stages_test
