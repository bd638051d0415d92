#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "reports/scalars/scalars.hpp"

#include "tests/tools/simulate/small_scenario.hpp"
#include "tools/simulate/compare_variants.hpp"
#include "tools/simulate/run_scenario.hpp"
#include "tools/simulate/simulation_error.hpp"

namespace bursar::test::compare_variants_test {
namespace {

std::vector<Variant> variants_of(const std::string& axis) {
    return all_variants(std::vector{parse_axis(axis)});
}

Comparison compared(const ScenarioSource& source,
                    const std::string& axis,
                    const CompareSettings& settings = {}) {
    const std::vector<Variant> variants = variants_of(axis);
    return compare_variants(variants, load_variants(source, variants), settings);
}

/// Forty jobs of two hours, one each half hour, and a limit of 500 USD. others: pools before the
/// one whose purchase, nodes and more are given.
ScenarioSource budgeted(const std::string& others, const std::string& pool) {
    return {.file = "budgeted.yaml",
            .text = "bursar: 1\n"
                    "workload:\n"
                    "  jobs: [{name: a, gpus: 8, duration: 2 h, count: 40, every: 30 min}]\n"
                    "fleet: [" +
                    others +
                    "{pool: d, gpu: H100, gpus_per_node: 8, price: 3 USD/gpu-h, purchase: " + pool +
                    "}]\n"
                    "budgets: [{name: all, limit: 500 USD, then: stop-jobs}]\n"};
}

/// Jobs whose last end depends on the seed and, with some seeds, on the policy. 96 USD an hour.
ScenarioSource drawn_jobs() {
    return {.file = "drawn_jobs.yaml",
            .text = "bursar: 1\n"
                    "workload: {synthetic: {like: philly, jobs: 1000, gpus: 96, load: 0.9}}\n"
                    "fleet:\n"
                    "  - {pool: p, purchase: owned, gpu: V100-SXM2-16GB, nodes: 12, "
                    "gpus_per_node: 8, price: 1 USD/gpu-h}\n"};
}

const RepeatedScalar& common_end_of(const ComparedVariant& variant) {
    const RepeatedScalar& last = variant.values.scalars.back();
    REQUIRE(last.name == common_end_cost().name);
    return last;
}

double scalar(const ComparedVariant& variant, std::string_view name, std::size_t run = 0) {
    for (const Scalar& one : variant.runs.at(run))
        if (one.name == name)
            return one.value.value();
    FAIL("no scalar " << name);
    return 0;
}

/// As two_jobs(), from a trace file; every read of it is counted.
struct TracedVariants {
    std::atomic<int> num_reads{};

    std::vector<LoadedScenario> load(const std::vector<Variant>& variants) {
        ScenarioSource source = two_jobs();
        source.text = "bursar: 1\n"
                      "workload: {trace: {file: jobs.csv, format: csv}}\n"
                      "fleet:\n"
                      "  - {pool: p, purchase: owned, gpu: V100-SXM2-16GB, nodes: 1, "
                      "gpus_per_node: 8, price: 1 USD/gpu-h}\n";
        auto loaded = load_variants(source, variants);
        const auto workloads = std::make_shared<Workloads>([this](const TraceOptions&) {
            ++num_reads;
            return load_workload(load_scenario(two_jobs()).scenario, 1);
        });
        for (LoadedScenario& one : loaded)
            one.workloads = workloads;
        return loaded;
    }
};

} // namespace

TEST_CASE("two nodes serve both jobs at once, and each variant is paid to its own end") {
    const Comparison comparison = compared(two_jobs(), "fleet.p.nodes=1,2");
    REQUIRE(comparison.variants.size() == 2);
    CHECK(comparison.scenario_name == "two jobs");
    CHECK(!comparison.random);
    CHECK(comparison.end == 2 * hour); // the latest end of both
    CHECK(!comparison.one_end);
    CHECK(!comparison.ends_by_scenario);
    CHECK(comparison.variants[1].label == "2");
    CHECK(comparison.variants[1].settings ==
          std::vector<std::pair<std::string, std::string>>{{"fleet.p.nodes", "2"}});
    CHECK(scalar(comparison.variants[0], "cost.total") == 16);
    CHECK(scalar(comparison.variants[1], "cost.total") == 24); // 1.5 h
    CHECK(comparison.variants[0].differences.empty());
    CHECK(!comparison.variants[1].differences.empty());
}

TEST_CASE("a variant's cost is that of its run alone, whatever else is compared") {
    const std::int64_t seeds = 2;
    const Comparison few = compared(drawn_jobs(), "policy.queue=fifo,sjf", {.seeds = seeds});
    const Comparison more =
        compared(drawn_jobs(), "policy.queue=fifo,sjf,smallest", {.seeds = seeds});
    for (const std::size_t variant : {0U, 1U})
        for (std::uint64_t run = 0; run < static_cast<std::uint64_t>(seeds); ++run) {
            LoadedScenario loaded = load_scenario(drawn_jobs());
            loaded.scenario.policy.queue = few.variants[variant].label;
            Workspace workspace;
            const Result alone =
                run_compiled(compile_run(loaded, few.first_seed + run), Record::jobs, workspace);
            CHECK(few.variants[variant].fingerprints[run] == alone.fingerprint);
            const std::vector<Scalar> expected = scalars(alone);
            for (std::size_t i = 0; i < expected.size(); ++i) {
                CAPTURE(expected[i].name);
                CHECK(few.variants[variant].runs[run][i].value == expected[i].value);
                CHECK(more.variants[variant].runs[run][i].value == expected[i].value);
            }
        }
}

TEST_CASE("the cost of a seed does not depend on how many seeds are compared") {
    const auto of_seeds = [](std::int64_t seeds) {
        return compared(drawn_jobs(), "policy.backfill=easy,none", {.seeds = seeds});
    };
    const Comparison one = of_seeds(1);
    const Comparison three = of_seeds(3);
    const Comparison five = of_seeds(5);
    CHECK(scalar(one.variants[0], "cost.total") == doctest::Approx(37'120.35).epsilon(1e-7));
    for (const std::size_t variant : {0U, 1U}) {
        const ComparedVariant& of_five = five.variants[variant];
        CHECK(scalar(one.variants[variant], "cost.total") == scalar(of_five, "cost.total"));
        for (std::size_t run = 0; run < 3; ++run) {
            const ComparedVariant& of_three = three.variants[variant];
            CHECK(scalar(of_three, "cost.total", run) == scalar(of_five, "cost.total", run));
            CHECK(common_end_of(of_three).by_seed[run] == common_end_of(of_five).by_seed[run]);
        }
    }
}

TEST_CASE("the cost to the common end is of each seed, and has no interval and no verdict") {
    const Comparison comparison = compared(drawn_jobs(), "policy.backfill=easy,none", {.seeds = 3});
    for (std::size_t run = 0; run < 3; ++run) {
        Duration common{};
        for (const ComparedVariant& variant : comparison.variants)
            common = std::max(common, variant.endings[run].end);
        for (const ComparedVariant& variant : comparison.variants) {
            const Duration rest = common - variant.endings[run].end;
            const double usd = 96 * static_cast<double>(rest.count()) / hour.count();
            CHECK(*common_end_of(variant).by_seed[run] ==
                  doctest::Approx(scalar(variant, "cost.total", run) + usd).epsilon(1e-9));
        }
    }
    for (const ComparedVariant& variant : comparison.variants)
        CHECK_FALSE(common_end_of(variant).ci_low);
    const Difference& difference = comparison.variants[1].differences.back();
    CHECK(difference.pairs == 3);
    CHECK_FALSE(difference.ci_low);
    CHECK_FALSE(difference.ci_high);
    CHECK(difference.verdict == Verdict::unknown);
}

TEST_CASE("on demand each variant is paid in whole steps, and there is no cost to a common end") {
    // fifo on one node takes 2 h, on two nodes 1.5 h.
    ScenarioSource source = two_jobs();
    source.overrides = {{"fleet.p.purchase", "on_demand"}};
    const Comparison comparison = compared(source, "fleet.p.nodes=1,2");
    CHECK(comparison.end == 2 * hour);
    CHECK(scalar(comparison.variants[0], "cost.total") == 16);
    CHECK(scalar(comparison.variants[1], "cost.total") == 24);
    CHECK(scalar(comparison.variants[1], "gpu_hours.paid") == 24);
    CHECK(comparison.variants[1].values.scalars.back().name != common_end_cost().name);

    source.overrides.push_back({"fleet.p.billing.granularity", "1 h"});
    const Comparison rounded = compared(source, "fleet.p.nodes=1,2");
    CHECK(scalar(rounded.variants[1], "cost.total") == 32);
    CHECK(scalar(rounded.variants[1], "cost.by_leaf.unavail.reserved_unlaunched") == 8);
}

TEST_CASE("a variant whose budget acts is billed by use as in a run alone, beside any others") {
    const std::string fixed = "nodes: 4";
    const std::string range = "nodes: 0..4, boot: 2 min";
    const std::string spot = "{pool: s, purchase: spot, gpu: H100, nodes: 0..4, gpus_per_node: 8, "
                             "price: 1 USD/gpu-h, boot: 2 min}, ";
    for (const std::string& others : {std::string{}, spot})
        for (const std::string& nodes :
             {fixed, range, fixed + ", failures: {per_node_day: 3, repair: 2 h}"}) {
            CAPTURE(others);
            CAPTURE(nodes);
            const ScenarioSource source = budgeted(others, "on_demand, " + nodes);
            const std::vector<Variant> variants =
                variants_of("budgets[0].then=stop-admitting,stop-jobs,alert");
            const std::vector<LoadedScenario> loaded = load_variants(source, variants);
            const Comparison comparison = compare_variants(variants, loaded);
            for (std::size_t i = 0; i < loaded.size(); ++i) {
                CAPTURE(variants[i].label);
                const std::vector<Scalar> alone = scalars(run_scenario(loaded[i]));
                const ComparedVariant& variant = comparison.variants[i];
                for (const char* name : {"cost.total",
                                         "gpu_hours.paid",
                                         "metrics.jobs_finished",
                                         "cost.by_leaf.idle.no_demand",
                                         "cost.by_leaf.idle.ineligible",
                                         "cost.by_leaf.unavail.down"}) {
                    CAPTURE(name);
                    const auto one = std::ranges::find(alone, name, &Scalar::name);
                    if (one != alone.end())
                        CHECK(scalar(variant, name) == one->value);
                }
            }
            CHECK(scalar(comparison.variants[1], "cost.total") <=
                  500 + 0.01); // on-demand time is paid no longer
        }
}

TEST_CASE("a comparison names the variants that a budget changed") {
    const Comparison comparison = compared(
        budgeted("", "on_demand, nodes: 4"),
        "budgets[0]={limit: 500 USD, then: alert},{limit: 500 USD, pool: d, then: "
        "stop-jobs},{limit: 9000 USD, then: stop-jobs},{name: cap, limit: 500.5 USD, then: "
        "stop-admitting}");
    const auto told = [&](std::size_t variant) {
        std::string out;
        for (const std::string& warning : comparison.variants[variant].caveats.warnings)
            if (warning.starts_with("budget "))
                out += warning;
        return out;
    };
    CHECK(told(0).empty());
    CHECK(told(1) == "budget pool d: 500.00 USD are spent, jobs are stopped then, and none starts "
                     "after that");
    CHECK(told(2).empty());
    CHECK(told(3) == "budget cap: 500.50 USD are spent, and no job starts after that");
}

TEST_CASE("if budgets end all runs, each ends with its last job") {
    const ScenarioSource source = budgeted("", "owned, nodes: 4");
    const Comparison comparison = compared(source, "budgets[0].then=stop-jobs,stop-admitting");
    // 96 USD per hour; jobs that run then end within 2 h, and no job arrives for 20 h.
    CHECK(comparison.end > 5 * hour);
    CHECK(comparison.end < 8 * hour);
    CHECK(scalar(comparison.variants[0], "cost.total") < 500 + 0.01);
    CHECK(scalar(comparison.variants[1], "cost.total") < 8 * 96);
}

TEST_CASE("owned capacity to the common end stands beside the cost, and not in a warning") {
    const Comparison comparison = compared(two_jobs(), "fleet.p.nodes=1,2");
    CHECK(common_end_of(comparison.variants[0]).mean == 16);
    CHECK(common_end_of(comparison.variants[1]).mean == 32); // half an hour more
    CHECK(comparison.variants[1].differences.back().mean == 16);
    CHECK(comparison.variants[1].caveats.warnings.empty());
}

TEST_CASE("a variant that finished fewer jobs is not called better") {
    // With two hours of startup the long job does not finish by `until`, the short ones do.
    ScenarioSource source = two_jobs();
    source.overrides = {{"workload.jobs",
                         "[{name: s, gpus: 1, duration: 10 min, count: 8, every: 1 min}, "
                         "{name: l, gpus: 8, duration: 3 h, submit: 10 min}]"},
                        {"fleet.p.gpus_per_node", "8"},
                        {"until", "4 h"}};
    const Comparison comparison = compared(source, "workload.classes=[{}],[{startup: 2 h}]");
    const ComparedVariant& slow = comparison.variants[1];
    CHECK(scalar(slow, "metrics.jobs_finished") <
          scalar(comparison.variants[0], "metrics.jobs_finished"));
    CHECK(!slow.same_finished);
    CHECK(scalar(slow, "metrics.jct_at_least_s.max") > scalar(slow, "metrics.jct_s.max"));
}

TEST_CASE("a comparison says which pools cost nothing") {
    const Comparison comparison = compared(two_jobs(), "fleet.p.price=1 USD/gpu-h,0 USD/gpu-h");
    CHECK(comparison.variants[0].caveats.warnings.size() == 1); // its drain
    const std::vector<std::string>& warnings = comparison.variants[1].caveats.warnings;
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0] == "unpriced: p (0 USD per GPU-hour)");
}

TEST_CASE("other GPUs with the same run times are noted beside the difference") {
    const Comparison comparison = compared(two_jobs(), "fleet.p.gpu=V100,T4");
    const std::vector<std::string> decisive = caveats_of(comparison, &Caveats::decisive);
    REQUIRE(decisive.size() == 2);
    CHECK(decisive[1] == "T4: run times are those of the list on any GPU, not scaled to T4 (no "
                         "`speed` given)");
}

TEST_CASE("hours of other GPUs are not called more or fewer") {
    const Comparison comparison = compared(two_jobs(), "fleet.p.gpu=V100,T4");
    CHECK(comparison.variants[0].same_hours);
    const ComparedVariant& other = comparison.variants[1];
    CHECK_FALSE(other.same_hours);
    std::size_t withheld = 0;
    for (std::size_t i = 0; i < other.differences.size(); ++i) {
        const std::string& name = other.values.scalars[i].name;
        CAPTURE(name);
        const bool of_hours =
            name.starts_with("ratios.") || (name.find("gpu_hour") != std::string::npos &&
                                            name.find("work_gpu_hour") == std::string::npos);
        CHECK((other.differences[i].verdict == Verdict::withheld) == of_hours);
        withheld += of_hours ? 1 : 0;
    }
    CHECK(withheld > 10);
    CHECK(compared(two_jobs(), "fleet.p.nodes=1,2").variants[1].same_hours);
}

TEST_CASE("dollars per finished job and per unit of work compare other GPUs") {
    ScenarioSource source = two_jobs(); // of 8 GPU-hours each at reference speed
    source.overrides = {{"workload.gpu", "V100"}};
    const Comparison comparison =
        compared(source,
                 "fleet.0={pool: p, purchase: owned, gpu: V100, nodes: 1, gpus_per_node: 8, price: "
                 "1 USD/gpu-h},{pool: p, purchase: owned, gpu: T4, nodes: 1, gpus_per_node: 8, "
                 "price: 0.8 USD/gpu-h}");
    for (const ComparedVariant& variant : comparison.variants) {
        const double total = scalar(variant, "cost.total");
        CHECK(scalar(variant, "metrics.finished_work_gpu_hours") == 16);
        CHECK(scalar(variant, "cost.per_work_gpu_hour") == doctest::Approx(total / 16));
        CHECK(scalar(variant, "cost.per_finished_job") == doctest::Approx(total / 2));
    }
    const ComparedVariant& slower = comparison.variants[1];
    CHECK_FALSE(slower.same_hours);
    for (std::size_t i = 0; i < slower.differences.size(); ++i)
        if (slower.values.scalars[i].name.starts_with("cost.per_work"))
            CHECK(slower.differences[i].verdict == Verdict::worse);
}

TEST_CASE("the same jobs in less time are not called a worse use of GPU-hours") {
    const Comparison comparison =
        compared(two_jobs(), "workload.classes=[{speed: {V100: 1}}],[{speed: {V100: 2}}]");
    CHECK_FALSE(comparison.variants[1].same_hours);
}

TEST_CASE("costs of runs of different length get no verdict") {
    const Comparison comparison = compared(two_jobs(), "until=1 h,3 h");
    const ComparedVariant& longer = comparison.variants[1];
    for (std::size_t i = 0; i < longer.differences.size(); ++i)
        if (longer.values.scalars[i].name == "cost.total")
            CHECK(longer.differences[i].verdict == Verdict::withheld);
}

TEST_CASE("costs of runs whose length depends on the seed get a verdict: pairs are equally long") {
    ScenarioSource source = synthetic();
    source.overrides = {{"until", "last-submit"}};
    const Comparison comparison = compared(source, "fleet.p.nodes=8,9", {.seeds = 3});
    CHECK(!comparison.one_end); // each seed draws its last submit
    CHECK(comparison.one_end_a_seed);
    const ComparedVariant& larger = comparison.variants[1];
    for (std::size_t i = 0; i < larger.differences.size(); ++i)
        if (larger.values.scalars[i].name == "cost.total")
            CHECK(larger.differences[i].verdict != Verdict::withheld);
}

TEST_CASE("variants that state their ends each keep their own") {
    const Comparison comparison = compared(two_jobs(), "until=1 h,3 h");
    CHECK(!comparison.one_end);
    CHECK(!comparison.one_end_a_seed);
    CHECK(comparison.end == 3 * hour);
    CHECK(scalar(comparison.variants[0], "cost.total") == 8);
    CHECK(scalar(comparison.variants[1], "cost.total") == 24);
}

TEST_CASE("if all variants state their ends, no run is extended") {
    ScenarioSource source = two_jobs();
    source.overrides = {{"until", "3 h"}};
    const Comparison comparison = compared(source, "policy.queue=fifo,sjf");
    CHECK(comparison.ends_by_scenario);
    CHECK(comparison.end == 3 * hour);
    CHECK(scalar(comparison.variants[0], "cost.total") == 24);
}

TEST_CASE("a trace that variants and seeds share is read once") {
    TracedVariants traced;
    const auto variants = variants_of("policy.queue=fifo,sjf,srtf");
    const Comparison comparison = compare_variants(variants, traced.load(variants));
    CHECK(comparison.variants.size() == 3);
    CHECK(traced.num_reads == 1);
}

TEST_CASE("a trace that variants read differently is read once for each way") {
    TracedVariants traced;
    const auto variants = variants_of("workload.trace.scale={load: 1},{load: 2},{load: 1.0}");
    static_cast<void>(compare_variants(variants, traced.load(variants)));
    CHECK(traced.num_reads == 2);
}

TEST_CASE("random scenarios run with every seed, from the first one") {
    const Comparison comparison =
        compared(synthetic(), "policy.queue=fifo,sjf", {.seed = 7, .seeds = 3});
    CHECK(comparison.random);
    CHECK(comparison.first_seed == 7);
    REQUIRE(comparison.variants[0].runs.size() == 3);
    CHECK(comparison.num_runs() == 3);

    const LoadedScenario loaded = load_scenario(synthetic());
    for (std::uint64_t i = 0; i < 3; ++i) {
        Workspace workspace;
        CHECK(run_compiled(compile_run(loaded, 7 + i), Record::jobs, workspace).fingerprint ==
              comparison.variants[0].fingerprints[i]);
    }
}

TEST_CASE("the number of threads changes nothing") {
    const Comparison one = compared(synthetic(), "policy.queue=fifo,sjf,srtf", {.seeds = 5});
    for (const std::size_t threads : {2U, 4U, 64U}) {
        const Comparison many =
            compared(synthetic(), "policy.queue=fifo,sjf,srtf", {.seeds = 5, .threads = threads});
        CAPTURE(threads);
        CHECK(many.end == one.end);
        for (std::size_t v = 0; v < one.variants.size(); ++v) {
            CHECK(many.variants[v].fingerprints == one.variants[v].fingerprints);
            CHECK(many.variants[v].values == one.variants[v].values);
        }
    }
}

TEST_CASE("the error of the first failing run is thrown, for any number of threads") {
    ScenarioSource source = two_jobs();
    for (const std::size_t threads : {1U, 4U}) {
        const auto variants = variants_of("workload.jobs[1].gpus=8,9,10");
        CHECK_THROWS_WITH_AS(static_cast<void>(compare_variants(
                                 variants, load_variants(source, variants), {.threads = threads})),
                             doctest::Contains("a job of 9 GPUs can never run"),
                             ScenarioError);
    }
}

TEST_CASE("warnings of the runs are reported once") {
    ScenarioSource source = two_jobs();
    source.overrides = {{"repeat.seeds", "4"}}; // without effect: nothing is random
    const Comparison comparison = compared(source, "policy.queue=fifo,sjf");
    CHECK(comparison.variants[0].runs.size() == 1);
    const std::vector<std::string> warnings = caveats_of(comparison, &Caveats::warnings);
    REQUIRE(warnings.size() == 2);
    CHECK(warnings[0].find("nothing in this scenario is random") != std::string::npos);
    CHECK(warnings[1].find("in the 90 min from the last submit") != std::string::npos);
}

TEST_CASE("a comparison lists what its runs assume and do not model") {
    ScenarioSource source = two_jobs();
    source.overrides = {{"fleet.0.purchase", "spot"}, {"fleet.0.price", "1 USD/gpu-h"}};
    const Comparison comparison = compared(source, "policy.queue=fifo,srtf");
    const std::vector<std::string> assumed = caveats_of(comparison, &Caveats::assumed);
    CHECK(std::ranges::find(assumed, "no startup time declared") != assumed.end());
    const std::vector<std::string> unmodelled = caveats_of(comparison, &Caveats::unmodelled);
    REQUIRE(unmodelled.size() == 3);
    CHECK(unmodelled[0] == "failures, reclaim, autoscaling");
    CHECK(unmodelled[2] == "pool p: price changes of spot capacity");
}

} // namespace bursar::test::compare_variants_test
