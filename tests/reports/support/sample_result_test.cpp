#include <doctest/doctest.h>

#include "tests/reports/support/sample_result.hpp"

namespace bursar::test {
namespace {

struct SampleJob {
    const char* name;
    std::uint16_t tenant;
    std::uint32_t gpus;
    Duration submit;
    Duration start;
    Duration finish;
    std::uint16_t pool;
    JobEnd end;
    JobPhase phase;
};

const std::array<SampleJob, 7> sample_jobs{{
    {"train", 0, 4, {}, {}, 2 * hour, 0, JobEnd::completed, JobPhase::finished},
    {"quit", 0, 1, {}, {}, 90 * second, 1, JobEnd::cancelled, JobPhase::finished},
    {"crash", 1, 4, 10 * minute, 10 * minute, 70 * minute, 0, JobEnd::failed, JobPhase::finished},
    {hostile_name, 2, 8, 30 * minute, 2 * hour, 3 * hour, 0, JobEnd::completed, JobPhase::finished},
    {"long", 0, 1, hour, hour, {}, 1, JobEnd::completed, JobPhase::running},
    {"wide", 1, 8, 3 * hour, 3 * hour, {}, 0, JobEnd::completed, JobPhase::running},
    {"late", 1, 8, 210 * minute, {}, {}, 0, JobEnd::completed, JobPhase::queued},
}};

constexpr Duration sample_end = 4 * hour;
constexpr std::uint32_t num_sample_tenants = 3;

void add(
    Outcome& outcome, std::size_t pool, std::size_t tenant, Leaf leaf, int gpus, Duration held) {
    outcome.cells[(pool * (num_sample_tenants + 1) + tenant) * num_leaves +
                  static_cast<std::size_t>(leaf)] += slot_time(gpus * slots_per_gpu, held);
}

Leaf work_leaf(const SampleJob& job) {
    if (job.phase == JobPhase::running)
        return Leaf::prod_uncommitted;
    switch (job.end) {
    case JobEnd::completed:
        return Leaf::prod_useful;
    case JobEnd::failed:
        return Leaf::lost_job_failed;
    case JobEnd::cancelled:
        return Leaf::lost_cancelled;
    case JobEnd::stopped:
        return Leaf::lost_stopped;
    case JobEnd::node_failed:
    case JobEnd::rejected:
        break;
    }
    return Leaf::lost_failure;
}

Outcome sample_outcome() {
    Outcome out;
    out.end = sample_end;
    out.window_end = sample_end;
    out.num_pools = 2;
    out.num_tenants = num_sample_tenants;
    out.cells.resize(std::size_t{2} * (num_sample_tenants + 1) * num_leaves);
    for (const SampleJob& job : sample_jobs) {
        if (job.phase == JobPhase::queued)
            continue;
        const Duration until = job.phase == JobPhase::running ? sample_end : job.finish;
        const int gpus = static_cast<int>(job.gpus);
        add(out, job.pool, job.tenant, Leaf::over_startup, gpus, minute);
        add(out, job.pool, job.tenant, work_leaf(job), gpus, until - job.start - minute);
    }
    add(out, 0, num_sample_tenants, Leaf::idle_no_demand, 4, 10 * minute);
    add(out, 0, num_sample_tenants, Leaf::idle_gang, 4, 50 * minute);
    add(out, 1, num_sample_tenants, Leaf::idle_no_demand, 2, 4 * hour);
    add(out, 1, num_sample_tenants, Leaf::idle_no_demand, 1, -(3 * hour + 90 * second));
    out.events = 12;
    out.num_started = 6;
    out.num_finished = 4;
    out.num_running_at_end = 2;
    out.num_queued_at_end = 1;
    out.fingerprint = 0x8f3a91c04d2e77b1;
    return out;
}

Plan sample_plan() {
    Plan plan;
    for (const SampleJob& job : sample_jobs) {
        plan.submit_ms.push_back(job.submit.count());
        const bool has_finished = job.phase == JobPhase::finished;
        plan.work_ms.push_back(
            (has_finished ? job.finish - job.start - minute : 12 * hour).count());
        plan.shape.push_back(static_cast<std::uint16_t>(plan.shapes.size()));
        plan.shapes.push_back({job.gpus, 3});
        plan.job_class.push_back(0);
        plan.tenant.push_back(job.tenant);
        plan.end.push_back(job.end);
    }
    plan.classes = {{minute, Duration{}}};
    plan.pools = {{2, 4, Purchase::owned, MoneyRate{950'000'000}, millisecond},
                  {1, 2, Purchase::reserved, MoneyRate{350'000'000}, millisecond}};
    plan.num_tenants = num_sample_tenants;
    plan.until = sample_end;
    return plan;
}

Labels sample_labels() {
    Labels labels;
    labels.pools = {"owned", "t4"};
    labels.pool_gpus = {"V100-SXM2-32GB", "T4"};
    labels.pool_regions = {"", "us-east-1"};
    labels.tenants = {"vision", "nlp", hostile_name};
    labels.zero_utc_ms = 1'506'902'515'000; // 2017-10-02T00:01:55Z
    for (const SampleJob& job : sample_jobs) {
        labels.job_names += job.name;
        labels.job_name_end.push_back(labels.job_names.size());
    }
    return labels;
}

std::vector<TimelineRow> sample_timeline() {
    const auto at = [](Duration time, std::uint32_t pool, std::uint32_t gpus, std::uint32_t jobs) {
        return TimelineRow{time.count(),
                           pool,
                           gpus * std::int64_t{slots_per_gpu},
                           jobs,
                           jobs * std::int64_t{8 * slots_per_gpu}};
    };
    return {at({}, 0, 4, 0),
            at({}, 1, 1, 0),
            at(90 * second, 1, 0, 0),
            at(10 * minute, 0, 8, 0),
            at(30 * minute, 0, 8, 1),
            at(hour, 1, 1, 1),
            at(70 * minute, 0, 4, 1),
            at(2 * hour, 0, 8, 0),
            at(210 * minute, 0, 8, 1)};
}

RunFacts sample_facts() {
    RunFacts facts;
    facts.version = "0.1.0";
    facts.scenario_name = "Two pools, worked out by hand";
    facts.scenario_hash = 0x1234;
    facts.seed = 1;
    facts.wall = std::chrono::milliseconds{40};
    facts.policy_time = std::chrono::milliseconds{1};
    facts.peak_rss_bytes = 10'000'000;
    facts.policy = {"fifo",
                    "block",
                    "nodes",
                    "consolidated",
                    "owned-first",
                    "", // no allocator
                    "none",
                    "none",
                    "exact",
                    "as-given",
                    "none",
                    "",
                    ""};
    facts.price_basis = {"owned cost", "declared"};
    facts.other_costs = {
        {"storage", Money{int128{nano_usd_per_usd} * slot_ms_per_gpu_hour * 5 / 4}}};
    facts.warnings = {std::string{"tenant "} + hostile_name + " has one job"};
    facts.decisive = {"run times are those of the trace on any GPU"};
    facts.assumed = {"jobs cost nothing to stop", "no checkpoints"};
    facts.unmodelled = {"energy"};
    facts.trace_notes = {"7 rows read"};
    return facts;
}

} // namespace

SampleRun sample_run() {
    SampleRun run{
        sample_plan(), sample_labels(), sample_outcome(), {}, sample_timeline(), sample_facts()};
    for (const SampleJob& job : sample_jobs) {
        run.rows.phase.push_back(job.phase);
        run.rows.pool.push_back(job.pool);
        run.rows.start_ms.push_back(job.start.count());
        run.rows.finish_ms.push_back(job.finish.count());
    }
    // One job of 8 GPUs is queued from 0:30 to 2:00 and from 3:30 on.
    run.rows.queue = {{(2 * hour).count(), (2 * hour).count()}, 8 * int128{(2 * hour).count()}, 8};
    return run;
}

Result sample_result() {
    SampleRun run = sample_run();
    return make_result(
        run.plan, run.labels, run.outcome, run.rows, run.timeline, std::move(run.facts));
}

TEST_CASE("the sample run pays for all GPUs of both pools") {
    const Result result = sample_result();
    SlotTime paid;
    for (const ResultCell& cell : result.cells)
        paid += cell.held;
    CHECK(paid == slot_time(10 * slots_per_gpu, 4 * hour));
}

} // namespace bursar::test
