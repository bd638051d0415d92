#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/training/grid/grid_summary.hpp"
#include "models/training/grid/layout_grid.hpp"
#include "models/training/memory/memory_fit.hpp"
#include "models/training/search/layout_budget.hpp"

#include "tests/models/training/step_example.hpp"
#include "tests/properties.hpp"

namespace bursar::layout_grid_test {
namespace {

Transformer mixture() {
    Transformer model = llama_8b();
    model.name = "mixture";
    model.experts = Experts{8, 2, 14336, 0, 2};
    return model;
}

TrainingJob job_of(const Transformer& model) {
    TrainingJob job;
    job.model = model;
    job.sequence = model.sequence;
    return job;
}

MoneyRate usd(double per_hour) {
    return MoneyRate{static_cast<std::int64_t>(per_hour * nano_usd_per_usd)};
}

/// Two stacks that differ in overlap and memory.
std::vector<GridMachine> machines() {
    GridMachine hidden{example_cluster(h100()), Precision::bf16, {}, {}};
    hidden.profile.data_overlap = 0.7;
    hidden.profile.pipeline_overlap = 0.3;
    hidden.profile.straggler_sigma = 0.01;
    hidden.profile.gathers_per_layer = 4;
    hidden.overheads.buffered_per_stage = 2;
    hidden.overheads.keeps_stage_gathered = true;
    GridMachine fp8 = hidden;
    fp8.precision = Precision::fp8;
    return {{example_cluster(a100()), Precision::bf16, {}, {}}, hidden, fp8};
}

GridAxes axes() {
    GridAxes axes;
    axes.jobs = {job_of(gpt_175b()), job_of(llama_8b()), job_of(mixture())};
    axes.machines = machines();
    axes.offers = {{0, usd(1.3)}, {1, usd(2.1)}, {2, usd(2.1)}, {1, usd(1.9)}};
    axes.gpus = {8, 64, 96, 256};
    axes.batches = {192, 512};
    axes.tokens = 1e11;
    return axes;
}

/// Jobs that take other branches of the formulas.
std::vector<GridAxes> many_axes() {
    std::vector<GridAxes> all(4, axes());
    for (TrainingJob& job : all[1].jobs) {
        job.attention = Attention::unfused;
        job.recipe = StateRecipe::mixed_adam;
    }
    for (TrainingJob& job : all[2].jobs) {
        job.layout.offload_optimizer = true;
        job.layout.gpipe = true;
        job.compression = GradientCompression{0.1, 2};
    }
    for (TrainingJob& job : all[3].jobs) {
        job.layout.shard = 2;
        job.compilation = Compilation::compiled;
    }
    return all;
}

} // namespace

TEST_CASE("a point of a grid equals the step and memory models of its job") {
    for (const GridAxes& asked : many_axes()) {
        const LayoutGrid grid{asked};
        const GridView view = grid.view();
        REQUIRE(grid.size() > 1000);
        CHECK(check_property("equal to the last bit", [&] {
            for (int i = 0; i < 50; ++i) {
                const auto point = drawn::in_range<std::uint64_t>(0, grid.size());
                const GridDigits at = view.digits(point);
                const GridValue value = view(point);
                const TrainingJob job = grid.job(at);
                const GridMachine& machine = grid.machine(at);
                RC_ASSERT(value.memory == memory_use(job, machine.overheads).total());
                const ByteVolume usable = usable_memory(machine.cluster.gpu, machine.overheads);
                RC_ASSERT(value.fits == (value.memory <= usable));
                const auto chance =
                    fit_chance(value.memory, usable, memory_error(job, machine.overheads));
                RC_ASSERT(std::abs(chance.value_or(1) - likely_fit) < 0.001 ||
                          value.likely_fits == (value.fits && chance.value_or(1) > likely_fit));
                if (value.fits)
                    RC_ASSERT(value.step ==
                              step_time(job, machine.cluster, machine.profile).total());
            }
        }));
    }
}

TEST_CASE("points are numbered without gaps") {
    const LayoutGrid grid{axes()};
    const GridView view = grid.view();
    GridDigits last = view.digits(0);
    CHECK(last.block == 0);
    CHECK(last.offer == 0);
    CHECK(last.layout == 0);
    bool in_order = true;
    for (std::uint64_t point = 1; point < grid.size(); ++point) {
        const GridDigits at = view.digits(point);
        const bool next_layout =
            at.block == last.block && at.offer == last.offer && at.layout == last.layout + 1;
        const bool next_offer = at.block == last.block && at.offer == last.offer + 1 &&
                                at.layout == grid.block(at).first_layout;
        const bool next_block =
            at.block == last.block + 1 && at.offer == 0 && at.layout == last.layout + 1;
        in_order = in_order && (next_layout || next_offer || next_block);
        last = at;
    }
    CHECK(in_order);
    CHECK(last.offer + 1 == view.num_offers);
    CHECK(grid.points_of(0).first == 0);
    CHECK(grid.points_of(1).first == grid.points_of(0).end);
    CHECK(grid.points_of(2).end == grid.size());
    CHECK(grid.block(view.digits(grid.points_of(1).first)).model == 1);
    CHECK(grid.block(view.digits(grid.points_of(1).end - 1)).model == 1);
    CHECK(last.block + 1 == view.num_blocks);
}

TEST_CASE("the best of a grid of one model and one fleet is that of the layout search") {
    GridAxes one = axes();
    one.jobs = {job_of(llama_8b())};
    one.offers = {{1, usd(2.1)}};
    one.gpus = {64};
    one.batches = {512};
    const LayoutGrid grid{one};
    const GridMachine& machine = one.machines[1];
    TrainingJob job = one.jobs.front();
    job.precision = machine.precision;
    const FleetSearch found = search_fleets(job,
                                            {{machine.cluster, 64, usd(2.1)}},
                                            machine.profile,
                                            usual_layout_space(job, 64, 512),
                                            {one.tokens, std::nullopt, std::nullopt},
                                            machine.overheads);
    const GridSummary summary = summarize(grid.view(), {grid.points_of(0), GridMetric::time, 3}, 1);
    REQUIRE(summary.best.size() == 3);
    CHECK(summary.best.front().value.step == found.plans.front().layout.step);
    CHECK(summary.best.front().value.run.duration == found.plans.front().duration);
    CHECK(summary.best.front().value.run.usd == found.plans.front().usd);
    CHECK(static_cast<std::int64_t>(summary.fitting) == found.evaluated);
    CHECK(static_cast<std::int64_t>(summary.too_large) == found.excluded_by_memory);
    CHECK(grid.excluded_by_rule() == found.excluded_by_rule);
}

TEST_CASE("an invalid grid is refused by name") {
    const auto refused = [](auto change) -> std::string {
        GridAxes wrong = axes();
        change(wrong);
        try {
            const LayoutGrid grid{wrong};
        } catch (const ModelError& error) {
            return error.what();
        }
        return {};
    };
    CHECK(refused([](GridAxes& wrong) { wrong.gpus.clear(); }).find("no values") !=
          std::string::npos);
    CHECK(refused([](GridAxes& wrong) { wrong.tokens = 0; }).find("nothing to train") !=
          std::string::npos);
    CHECK(refused([](GridAxes& wrong) {
              wrong.machines[1].cluster = make_cluster(h100(), 3, ByteRate{200e9});
          }).find("differs") != std::string::npos);
    CHECK(refused([](GridAxes& wrong) { wrong.jobs[0].input = InputPipeline{}; }).find("input") !=
          std::string::npos);
    CHECK(refused([](GridAxes& wrong) {
              wrong.offers.assign(1'000'000, {0, usd(1)});
          }).find("more than 1000000000 points") != std::string::npos);
    CHECK(refused([](GridAxes&) {}).empty());
}

TEST_CASE("a grid without a layout has no points") {
    GridAxes none = axes();
    none.gpus = {64};
    none.batches = {7};
    none.jobs = {job_of(gpt_175b())};
    none.jobs.front().model.kv_heads = none.jobs.front().model.heads = 97;
    none.jobs.front().model.layers = 1;
    const LayoutGrid grid{none};
    CHECK(grid.size() == 0);
    const GridSummary summary = summarize(grid.view(), {grid.points_of(0), GridMetric::time, 3}, 2);
    CHECK(summary.best.empty());
    CHECK(summary.front.empty());
    CHECK(!summary.min_memory);
}

} // namespace bursar::layout_grid_test
