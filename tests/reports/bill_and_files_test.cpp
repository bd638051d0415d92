#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "reports/result/result.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/logged_run.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"
#include "tests/reports/support/check_attempts.hpp"
#include "tests/reports/support/run_files.hpp"

// Every leaf of the ledger against every file of one run: for any policy, any end of the run, and
// any end states in the trace.
namespace bursar::test::bill_and_files_test {
namespace {

/// Sums in millionths of a GPU-hour or of a USD, by any key.
using Sums = std::map<std::string, std::int64_t>;

/// Equal up to the rounding of a file: half a millionth in each row.
void check_equal(const Sums& a, const Sums& b, std::size_t num_rows) {
    Sums all = a;
    for (const auto& [name, sum] : b)
        all[name] -= sum;
    for (const auto& [name, difference] : all)
        if (std::abs(difference) > static_cast<std::int64_t>(num_rows))
            RC_FAIL(name + " differs by " + std::to_string(difference));
}

constexpr std::int64_t slot_ms_per_micro = 3600;

std::int64_t micro_usd(Money cost) {
    return static_cast<std::int64_t>(cost.count() / (slot_ms_per_micro * 1'000'000'000));
}

/// Sums over the cells that `name_of` gives a name.
template <class NameOf>
Sums of_cells(const Result& result, NameOf name_of) {
    std::map<std::string, int128> held;
    for (const ResultCell& cell : result.cells)
        held[name_of(cell)] += cell.held.count();
    Sums out;
    for (const auto& [name, time] : held)
        if (!name.empty())
            out[name] = static_cast<std::int64_t>(time / slot_ms_per_micro);
    return out;
}

std::string kind_of(Leaf leaf) {
    switch (group_of(leaf)) {
    case LeafGroup::overhead:
        return "overhead";
    case LeafGroup::stalled:
        return "stalled";
    case LeafGroup::lost:
        return "lost";
    case LeafGroup::productive:
        return "productive";
    default:
        return "";
    }
}

/// The tenants' time by group, from jobs.csv.
void check_jobs(const Result& result) {
    const File jobs{result, "jobs"};
    Sums from_file;
    Sums lost_by_state;
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        const std::string& tenant = jobs.text(job, "tenant");
        const std::int64_t productive = jobs.micro(job, "productive_gpu_hours");
        const std::int64_t lost = jobs.micro(job, "lost_gpu_hours");
        const std::int64_t stalled = jobs.micro(job, "stalled_gpu_hours");
        from_file[tenant + " productive"] += productive;
        from_file[tenant + " lost"] += lost;
        from_file[tenant + " stalled"] += stalled;
        from_file[tenant + " overhead"] +=
            jobs.micro(job, "gpu_hours") - productive - lost - stalled;
        lost_by_state[jobs.text(job, "final_state")] += lost;
    }
    check_equal(from_file,
                of_cells(result,
                         [&](const ResultCell& cell) {
                             const std::string kind = kind_of(cell.leaf);
                             return kind.empty() ? "" : result.tenants[*cell.tenant] + " " + kind;
                         }),
                4 * jobs.size() + 1);

    // Lost work of stopped attempts is booked by cause, all other work of a job by its end.
    Sums expected;
    for (std::size_t i = 0; i < result.stopped.size(); ++i) {
        const std::size_t job = result.stopped.job[i];
        const std::int64_t lost = result.stopped.lost_ms[i] * result.jobs.slots(job);
        expected[is_abrupt(result.stopped.cause_of(i)) ? "lost.failure" : "lost.preempt"] +=
            lost / slot_ms_per_micro;
        lost_by_state[jobs.text(job, "final_state")] -= lost / slot_ms_per_micro;
    }
    const std::pair<const char*, const char*> leaf_of_state[]{{"failed", "lost.job_failed"},
                                                              {"cancelled", "lost.cancelled"},
                                                              {"dropped", "lost.cancelled"},
                                                              {"stopped", "lost.stopped"},
                                                              {"node_failed", "lost.failure"}};
    for (const auto& [state, leaf] : leaf_of_state)
        expected[leaf] += std::exchange(lost_by_state[state], 0);
    for (const auto& [state, lost] : lost_by_state)
        expected["lost without a reason, " + state] = lost;
    check_equal(expected,
                of_cells(result,
                         [](const ResultCell& cell) {
                             return group_of(cell.leaf) == LeafGroup::lost
                                        ? std::string{name_of(cell.leaf)}
                                        : "";
                         }),
                jobs.size() + result.stopped.size() + 1);
}

/// GPU time that each pool gave to jobs, by attempt and over time.
void check_pools(const Result& result) {
    const Sums allocated = of_cells(result, [&](const ResultCell& cell) {
        return kind_of(cell.leaf).empty() ? "" : result.pools[cell.pool].name;
    });
    const File attempts{result, "attempts"};
    Sums from_attempts;
    Sums cost_from_attempts;
    for (std::size_t row = 0; row < attempts.size(); ++row) {
        from_attempts[attempts.text(row, "pool")] += attempts.micro(row, "gpu_hours");
        cost_from_attempts[attempts.text(row, "pool")] += attempts.micro(row, "cost_usd");
    }
    check_equal(allocated, from_attempts, attempts.size() + 1);
    Sums cost;
    for (const ResultCell& cell : result.cells)
        if (!kind_of(cell.leaf).empty())
            cost[result.pools[cell.pool].name] += micro_usd(cell.cost);
    check_equal(cost, cost_from_attempts, attempts.size() + result.cells.size() + 1);

    const File timeline{result, "timeline"};
    Sums from_timeline;
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> since; // ms, GPUs in millionths
    for (std::size_t row = 0; row < timeline.size(); ++row) {
        const std::string& pool = timeline.text(row, "pool");
        const std::int64_t now_ms = timeline.micro(row, "t") / 1000;
        auto& [begin_ms, gpus] = since[pool];
        from_timeline[pool] += (now_ms - begin_ms) * (gpus / 1000) / slot_ms_per_micro;
        begin_ms = now_ms;
        gpus = timeline.micro(row, "allocated");
    }
    check_equal(allocated, from_timeline, timeline.size() + 1);
    Sums paid;
    for (const ResultCell& cell : result.cells)
        paid[result.pools[cell.pool].name] += micro_usd(cell.cost);
    Sums accrued;
    for (std::size_t row = 0; row < timeline.size(); ++row)
        accrued[timeline.text(row, "pool")] = timeline.micro(row, "cumulative_cost_usd");
    check_equal(paid, accrued, result.cells.size() + 1);
}

/// Cells and tenants.
void check_cells(const Result& result) {
    const File cells{result, "csv"};
    Sums from_file;
    for (std::size_t row = 0; row < cells.size(); ++row)
        from_file[cells.text(row, "pool") + cells.text(row, "tenant") + cells.text(row, "leaf")] +=
            cells.micro(row, "gpu_hours");
    check_equal(from_file,
                of_cells(result,
                         [&](const ResultCell& cell) {
                             return result.pools[cell.pool].name +
                                    (cell.tenant ? result.tenants[*cell.tenant] : "") +
                                    std::string{name_of(cell.leaf)};
                         }),
                cells.size() + 1);
    const File tenants{result, "tenants"};
    Sums allocated;
    for (std::size_t row = 0; row < tenants.size(); ++row)
        if (!tenants.text(row, "tenant").starts_with("__"))
            allocated[tenants.text(row, "tenant")] = tenants.micro(row, "allocated");
    check_equal(allocated,
                of_cells(result,
                         [&](const ResultCell& cell) {
                             return kind_of(cell.leaf).empty() ? "" : result.tenants[*cell.tenant];
                         }),
                result.cells.size() + 1);
}

/// Times for which a slot-ms of the plan is a millionth of a GPU-hour, as in files; a USD per
/// GPU-hour.
Plan stretched(Plan plan) {
    const auto stretch = [](Duration& span) { span = Duration{span.count() * slot_ms_per_micro}; };
    for (auto* column : {&plan.submit_ms, &plan.work_ms, &plan.estimate_ms})
        for (std::int64_t& time : *column)
            time *= slot_ms_per_micro;
    for (PlanClass& one : plan.classes)
        for (Duration* span :
             {&one.startup, &one.teardown, &one.recovery, &one.save, &one.interval})
            stretch(*span);
    for (PlanPool& pool : plan.pools)
        pool.rate = MoneyRate{1'000'000'000};
    return plan;
}

/// Jobs with all kinds of ends, and a run that may end first.
Plan plan_with_ends() {
    Plan plan = draw_plan({.with_speeds = drawn::boolean()});
    for (JobEnd& end : plan.end)
        end = drawn::one_of(JobEnd::completed,
                            JobEnd::failed,
                            JobEnd::cancelled,
                            JobEnd::node_failed,
                            JobEnd::stopped);
    if (drawn::in_range(0, 3) > 0)
        plan.until = Duration{drawn::in_range<std::int64_t>(1, plan.submit_ms.back() + 30'000)};
    plan = stretched(std::move(plan));
    if (plan.until)
        plan.until = Duration{plan.until->count() * slot_ms_per_micro};
    return plan;
}

/// Gives some pools a price that changes during the run; then all have separate prices.
void vary_prices(Plan& plan) {
    for (PlanPool& pool : plan.pools) {
        pool.rate = MoneyRate{drawn::in_range<std::int64_t>(0, 3'000'000'000)};
        if (drawn::boolean())
            continue;
        PriceSeries series;
        std::int64_t start_ms = drawn::in_range<std::int64_t>(-1000, 1000) * slot_ms_per_micro;
        for (int steps = drawn::in_range(1, 9); steps > 0; --steps) {
            series.start_ms.push_back(start_ms);
            series.rate.push_back(drawn::in_range<std::int64_t>(0, 3'000'000'000));
            start_ms += drawn::in_range<std::int64_t>(1, 9'000 * slot_ms_per_micro);
        }
        pool.price_series = static_cast<std::uint16_t>(plan.prices.add(series));
    }
}

/// Stops some of its jobs, for all kinds of reasons.
void stop_some(Plan& plan) {
    const std::int64_t last_ms = 2 * plan.submit_ms.back() + 30'000;
    for (JobId job{0}; job < plan.num_jobs(); ++job) {
        const auto time_ms = drawn::in_range<std::int64_t>(0, last_ms);
        StopJob stop{.job = job};
        stop.hold_ms = drawn::in_range<std::int64_t>(0, 3) * slot_ms_per_micro;
        stop.cause = static_cast<StopCause>(drawn::in_range(
            static_cast<int>(StopCause::reclaimed), static_cast<int>(StopCause::migrated) + 1));
        plan.world.emplace_back(time_ms, stop);
    }
    std::ranges::stable_sort(plan.world, {}, &WorldEvent::time_ms);
}

/// Drops waiting jobs that must miss their deadline, at full units of time.
void drop_some(Plan& plan) {
    for (PlanClass& one : plan.classes)
        one.drops_late = drawn::in_range(0, 4) > 0;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        plan.deadline_ms[job] =
            plan.submit_ms[job] + drawn::in_range<std::int64_t>(1, 40'000) * slot_ms_per_micro - 1;
}

/// Printed hours equal the sum of their cells to the last digit.
void check_periods(const Result& result) {
    const auto by_cell = [](const File& file) {
        std::map<std::string, std::pair<std::int64_t, std::int64_t>> sums;
        for (std::size_t row = 0; row < file.size(); ++row) {
            auto& sum = sums[file.text(row, "pool") + "|" + file.text(row, "tenant") + "|" +
                             file.text(row, "leaf")];
            sum.first += file.micro(row, "gpu_hours");
            sum.second += file.micro(row, "cost_usd");
        }
        return sums;
    };
    RC_ASSERT(by_cell(File{result, "periods"}) == by_cell(File{result, "csv"}));
}

} // namespace

TEST_CASE("every leaf of a bill agrees with every file") {
    const std::vector<PolicyChoice> choices = every_choice_at_all();
    CHECK(check_property([&] {
        PolicyChoice choice = drawn::element_of(choices);
        choice.quantum = Duration{choice.quantum.count() * slot_ms_per_micro};
        if (preemption_of(choice) == "order" && drawn::boolean())
            choice.preemption_options.set("unfinished_recovery", {1});
        RC_LOG() << name_of(choice) << "\n";
        Plan plan = plan_with_ends();
        if (choice.backfill.empty() && drawn::boolean())
            stop_some(plan);
        if (drawn::boolean())
            vary_prices(plan);
        if (drawn::boolean())
            drop_some(plan);
        const Result result = result_of(plan, choice);
        if (lanes_serve(plan, choice)) // lanes record nothing
            RC_ASSERT(run_on_lanes(plan, choice).fingerprint == result.fingerprint);
        check_jobs(result);
        check_attempts(result);
        check_pools(result);
        check_cells(result);
        check_periods(result);
    }));
}

TEST_CASE("files agree with the bill where recoveries add up") {
    // Recoveries of 30 s, the first two cut short by 20 s and by 10 s: then one of 40 s.
    Plan plan = plan_of({{0, 100}}, {pool_of(1, 1)});
    plan.classes[0].recovery = 30 * second;
    for (const std::int64_t stop_ms : {40'000, 50'000, 90'000})
        plan.world.emplace_back(
            stop_ms, StopJob{.job = JobId{0}, .cause = StopCause::node_failed, .hold_ms = 3'000});
    for (const std::int64_t owed : {0, 1}) {
        CAPTURE(owed);
        PolicyChoice choice{"srtf", HeadRule::skip, "count"};
        choice.preemption_options.set("unfinished_recovery", {owed});
        for (const bool ends : {false, true}) {
            plan.until = ends ? std::optional{150 * second} : std::nullopt;
            const Result result = result_of(plan, choice);
            CHECK(check_property([&] {
                check_jobs(result);
                check_attempts(result);
            }));
        }
        plan.until.reset();
        CHECK(result_of(plan, choice).jobs.work_ms[0] == 100'000);
    }
}

TEST_CASE("jobs.csv has the deadlines of jobs, and whether they were missed") {
    // One after the other, 100 s each; the last one still runs at the end.
    Plan plan = plan_of({{0, 100}, {0, 100}, {0, 100}, {0, 100}, {0, 100}}, {pool_of(1, 1)});
    plan.end[3] = JobEnd::cancelled;
    plan.until = 450 * second;
    const auto rows_with = [&](std::vector<std::int64_t> deadline_ms) {
        plan.deadline_ms = std::move(deadline_ms);
        const File jobs{result_of(plan, {"fifo", HeadRule::block, "count"}), "jobs"};
        std::vector<std::pair<std::string, std::string>> rows;
        for (std::size_t job = 0; job < 5; ++job)
            rows.emplace_back(jobs.text(job, "slo_deadline"), jobs.text(job, "slo_met"));
        return rows;
    };
    using Rows = std::vector<std::pair<std::string, std::string>>;
    CHECK(rows_with({100'000, 199'999, no_deadline_ms, 500'000, 450'000}) ==
          Rows{{"100.000", "1"}, {"199.999", "0"}, {"", ""}, {"500.000", ""}, {"450.000", ""}});
    CHECK(rows_with({90'000, 200'000, 299'000, 390'000, 449'000}) == Rows{{"90.000", "0"},
                                                                          {"200.000", "1"},
                                                                          {"299.000", "0"},
                                                                          {"390.000", ""},
                                                                          {"449.000", "0"}});
    CHECK(rows_with({}) == Rows{{"", ""}, {"", ""}, {"", ""}, {"", ""}, {"", ""}});
}

TEST_CASE("jobs.csv has finish-time fairness under every order") {
    // On 2 GPUs: job 0 of both for 100 s, then jobs 1 and 2 of one each, submitted at 0 and 50 s.
    const Plan plan = plan_of({{0, 100, 2}, {0, 100, 1}, {50, 100, 1}}, {pool_of(1, 2)});
    for (const char* const queue : {"fifo", "sjf"}) {
        const File jobs{result_of(plan, {queue, HeadRule::block, "count"}), "jobs"};
        // 0: 2.5 jobs on average, so 2 GPUs are 2.5 shares: 250 s. JCT 100.
        CHECK(jobs.text(0, "rho") == "0.4");
        // 1: from 0 to 200 s 2 jobs, then 3, then 2: 450 job-seconds in 200 s; a share is 0.89
        // GPUs.
        CHECK(jobs.text(1, "rho") == "1.777778");
        // 2: 50 s of 3 jobs, 100 s of 2: 2.33; JCT 150.
        CHECK(jobs.text(2, "rho") == "1.285714");
    }
}

TEST_CASE("ids of jobs are unique whatever their names are; classes are named") {
    const Plan plan = plan_of({{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}, {pool_of(1, 1)});
    Result result = result_of(plan, {"fifo", HeadRule::block, "count"});
    const auto ids_with = [&](const std::vector<std::string>& names) {
        result.jobs.names.clear();
        result.jobs.name_end.clear();
        for (const std::string& name : names) {
            result.jobs.names += name;
            result.jobs.name_end.push_back(result.jobs.names.size());
        }
        const File jobs{result, "jobs"};
        const File attempts{result, "attempts"};
        std::vector<std::string> ids;
        for (std::size_t job = 0; job < 5; ++job) {
            ids.push_back(jobs.text(job, "job_id"));
            CHECK(attempts.text(job, "job_id") == ids.back());
        }
        return ids;
    };
    using Texts = std::vector<std::string>;
    CHECK(ids_with({}) == Texts{"0", "1", "2", "3", "4"});
    CHECK(ids_with({"a", "b", "c", "d", ""}) == Texts{"a", "b", "c", "d", ""});
    CHECK(ids_with({"a", "b", "a", "", ""}) == Texts{"a#1", "b", "a#2", "#1", "#2"});
    CHECK(ids_with({"a", "a#1", "a", "b", "c"}) == Texts{"a##1", "a#1", "a##2", "b", "c"});

    CHECK(File{result, "jobs"}.text(0, "class").empty());
    result.classes = {"small", "large, rare"};
    result.jobs.job_class = {0, 1, 0, 0, 0};
    const File jobs{result, "jobs"};
    CHECK(jobs.text(0, "class") == "small");
    CHECK(jobs.text(1, "class") == "large, rare");
}

TEST_CASE("files say why an attempt was stopped") {
    // Stopped at second 40 of 100: its work is lost, and its GPU is held for 3 s more.
    Plan plan = plan_of({{0, 100}}, {pool_of(1, 1)});
    const auto stopped_by = [&](StopCause cause) {
        plan.world = {{40'000, StopJob{.job = JobId{0}, .cause = cause, .hold_ms = 3'000}}};
        return result_of(plan, {"fifo", HeadRule::block, "count"});
    };
    const std::pair<StopCause, const char*> names[]{
        {StopCause::reclaimed, "reclaimed"},
        {StopCause::node_failed, "node_failed"},
        {StopCause::hung, "hung"},
        {StopCause::maintenance, "maintenance"},
        {StopCause::budget, "budget"},
        {StopCause::reclaimed_unsaved, "reclaimed_unsaved"},
        {StopCause::job_failed, "job_failed"},
        {StopCause::migrated, "migrated"}};
    for (const auto& [cause, name] : names) {
        CAPTURE(name);
        const Result result = stopped_by(cause);
        const File attempts{result, "attempts"};
        REQUIRE(attempts.size() == 2);
        CHECK(attempts.text(0, "end_cause") == name);
        CHECK(attempts.micro(0, "held_s") == (is_abrupt(cause) ? 43'000'000 : 40'000'000));
        CHECK(attempts.text(1, "end_cause") == "completed");
        const File jobs{result, "jobs"};
        CHECK(jobs.text(0, "attempts") == "2");
        CHECK(jobs.text(0, "preemptions") == "0");
        CHECK(jobs.text(0, "failures") == (is_abrupt(cause) ? "1" : "0"));
        CHECK(result.metrics.preemptions == 0);
        CHECK(result.metrics.restarts == 1);
    }
}

TEST_CASE("a job's failure is not known before it fails") {
    Plan plan = plan_of({{0, 100, 1, 1, 0, JobEnd::failed}}, {pool_of(1, 1)});
    plan.classes[0].checkpoint = Checkpoint::every;
    plan.classes[0].interval = 30 * second;
    plan.classes[0].save = 4 * second;
    plan.until = 80 * second; // two cycles of 34 s, 12 s of work after them
    const Result before = result_of(plan, {"fifo", HeadRule::block, "count"});
    CHECK(before.cells.size() == 3);
    CHECK(before.cells[0].leaf == Leaf::over_checkpoint);
    CHECK(before.cells[1].leaf == Leaf::prod_useful);
    CHECK(before.cells[1].held == slot_time(slots_per_gpu, 60 * second));
    CHECK(before.cells[2].leaf == Leaf::prod_uncommitted);
    plan.until.reset();
    const Result after = result_of(plan, {"fifo", HeadRule::block, "count"});
    CHECK(after.cells[1].leaf == Leaf::lost_job_failed);
    CHECK(after.cells[1].held == slot_time(slots_per_gpu, 100 * second));
}

TEST_CASE("saved work of a preempted attempt is lost when its job fails, and not earlier") {
    // 4 GPUs: a job of 100 s that will fail, and from second 40 on one of 10 s ahead of it.
    Plan plan = plan_of({{0, 100, 4, 1, 0, JobEnd::failed}, {40, 10, 4}}, {pool_of(1, 4)});
    const PolicyChoice srtf{"srtf", HeadRule::skip, "count"};
    const auto time_of = [&](Leaf leaf) {
        SlotTime held;
        for (const ResultCell& cell : result_of(plan, srtf).cells)
            held += cell.leaf == leaf ? cell.held : SlotTime{};
        return held.count() / slots_per_gpu / 4000; // seconds of all four
    };
    for (const std::int64_t until_s : {45, 80}) { // it waits, or runs again
        plan.until = until_s * second;
        CHECK(time_of(Leaf::lost_job_failed) == 0);
        CHECK(time_of(Leaf::prod_useful) == (until_s == 45 ? 40 : 50));
        CHECK(time_of(Leaf::prod_uncommitted) == (until_s == 45 ? 5 : 30));
    }
    plan.until.reset();
    CHECK(time_of(Leaf::lost_job_failed) == 100);
    CHECK(time_of(Leaf::prod_useful) == 10);
}

TEST_CASE("a job's slowdown is over its run time on the best pool that it may use") {
    // Two jobs of 100 s at speed 1. The first takes the GPU that is twice as fast.
    Plan plan = plan_of({{0, 100, 1, 0b11}, {0, 100, 1, 0b11}}, {pool_of(1, 1), pool_of(1, 1)});
    plan.classes[0].speed_row = 1;
    plan.speeds = {{.speed = 2 * reference_speed}, {.speed = reference_speed}};
    const Result result = result_of(plan, {"fifo", HeadRule::skip, "count"});
    const File jobs{result, "jobs"};
    CHECK(jobs.text(0, "run_s") == "50.0");
    CHECK(jobs.text(0, "slowdown") == "1.0");
    CHECK(jobs.text(1, "run_s") == "100.0");
    CHECK(jobs.text(1, "slowdown") == "2.0");
    CHECK(result.metrics.slowdown.max == 2'000'000);
}

TEST_CASE("a job in teardown at the end of the run has worked for the rest of its time") {
    // Stopped after 60 s of 100 for one of 10 + 20 s, it has 40 s left, which end at 130 s.
    Plan plan = plan_of({{0, 100, 1}, {60, 10, 1}}, {pool_of(1, 1)});
    plan.classes[0].teardown = 20 * second;
    plan.until = 140 * second;
    const Result result = result_of(plan, {"srtf", HeadRule::skip, "count"});
    CHECK(result.jobs.state[0] == JobState::running);
    CHECK(result.jobs.work_ms[0] == 40'000);
}

} // namespace bursar::test::bill_and_files_test
