#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <limits>
#include <system_error>
#include <tuple>

#include "sim/plan/plan.hpp"

#include "reports/errors/report_error.hpp"
#include "reports/result/json_reader.hpp"
#include "reports/result/saved_bounds.hpp"
#include "reports/result/saved_metrics.hpp"
#include "reports/result/saved_result.hpp"
#include "reports/text/escape.hpp"

namespace bursar::inline reports {
namespace {

using namespace saved; // the bounds

Duration read_time(const JsonReader& in) {
    return Duration{in.integer(0, max_ms)};
}

RunFacts read_run(const JsonReader& in) {
    constexpr std::int64_t max_ns = std::numeric_limits<std::int64_t>::max();
    RunFacts out;
    out.version = in.at("version").string();
    out.scenario_name = in.at("scenario_name").string();
    out.scenario_hash = in.at("scenario_hash").hash();
    out.seed = in.at("seed").unsigned_integer();
    if (in.has("wall_ns")) { // not in a reproducible result, nor are the next two
        out.wall = std::chrono::nanoseconds{in.at("wall_ns").integer(0, max_ns)};
        out.policy_time = std::chrono::nanoseconds{in.at("policy_ns").integer(0, max_ns)};
        out.peak_rss_bytes = in.at("peak_rss_bytes").unsigned_integer();
    }
    for (const PolicyLabel& label : policy_labels)
        if (label.in_every_file || in.has(label.name))
            out.policy.*label.text = in.at(label.name).string();
    out.price_basis = in.at("price_basis").strings();
    out.warnings = in.at("warnings").strings();
    out.assumed = in.at("assumed").strings();
    out.unmodelled = in.at("unmodelled").strings();
    out.trace_notes = in.at("trace_notes").strings();
    for (const JsonReader& other : in.at("other_costs").items())
        out.other_costs.push_back(
            {other.at("name").string(), Money{other.at("cost").exact(max_money)}});
    return out;
}

void read_outcome(const JsonReader& in, Result& out) {
    if (const JsonReader zero = in.at("zero_utc_ms"); !zero.is_null())
        out.zero_utc_ms = zero.integer(min_utc_ms, max_utc_ms);
    out.end = read_time(in.at("end_ms"));
    out.window_begin = read_time(in.at("window_begin_ms"));
    out.window_end = read_time(in.at("window_end_ms"));
    if (out.window_begin > out.window_end)
        in.fail("the window ends before it begins");
    out.events = in.at("events").unsigned_integer();
    out.num_started = in.at("num_started").unsigned_integer();
    out.num_finished = in.at("num_finished").unsigned_integer();
    out.num_running_at_end = in.at("num_running_at_end").unsigned_integer();
    out.num_queued_at_end = in.at("num_queued_at_end").unsigned_integer();
    out.fingerprint = in.at("fingerprint").hash();
}

std::vector<ResultPool> read_pools(const JsonReader& in) {
    std::vector<ResultPool> out;
    for (const JsonReader& pool : in.items()) {
        ResultPool read;
        read.name = pool.at("name").string();
        read.gpu = pool.at("gpu").string();
        read.region = pool.at("region").string();
        read.purchase = static_cast<Purchase>(pool.at("purchase").one_of(purchase_names));
        read.num_nodes = static_cast<std::uint32_t>(pool.at("num_nodes").integer(0, max_gpus));
        read.gpus_per_node =
            static_cast<std::uint32_t>(pool.at("gpus_per_node").integer(0, max_gpus));
        read.rate = MoneyRate{pool.at("rate_nano_usd_per_gpu_hour").integer(0, max_rate)};
        if (read.num_gpus() > max_gpus)
            pool.fail("more than " + std::to_string(max_gpus) + " GPUs");
        out.push_back(std::move(read));
    }
    if (out.size() > max_pools)
        in.fail("more than " + std::to_string(max_pools) + " pools");
    return out;
}

/// Where a cell stands in the fixed order; no tenant comes after every tenant.
std::tuple<std::uint32_t, bool, std::uint32_t, Leaf> order_of(const ResultCell& cell) {
    return {cell.pool, !cell.tenant, cell.tenant.value_or(0), cell.leaf};
}

std::vector<ResultCell> read_cells(const JsonReader& in, const Result& result) {
    std::vector<ResultCell> out;
    SlotTime held;
    Money cost;
    for (const OtherCost& other : result.run.other_costs) {
        cost += other.cost;
        if (cost > Money{max_money})
            in.fail("other costs add up to too much");
    }
    const auto below = [](std::size_t size) { return static_cast<std::int64_t>(size) - 1; };
    for (const JsonReader& cell : in.items()) {
        ResultCell read;
        read.pool =
            static_cast<std::uint32_t>(cell.at("pool").integer(0, below(result.pools.size())));
        if (const JsonReader tenant = cell.at("tenant"); !tenant.is_null())
            read.tenant =
                static_cast<std::uint32_t>(tenant.integer(0, below(result.tenants.size())));
        read.leaf = static_cast<Leaf>(cell.at("leaf").one_of(leaf_names));
        read.held = SlotTime{cell.at("slot_ms").exact(max_slot_ms)};
        read.cost = Money{cell.at("cost").exact(max_money)};
        if (!out.empty() && order_of(out.back()) >= order_of(read))
            cell.fail("not in the order of pool, tenant and leaf");
        held += read.held;
        cost += read.cost;
        if (held > SlotTime{max_slot_ms} || cost > Money{max_money})
            in.fail("the cells add up to too much");
        out.push_back(read);
    }
    return out;
}

template <class... Columns>
void need_equal_lengths(const JsonReader& in, std::size_t length, const Columns&... columns) {
    if (!((columns.size() == length) && ...))
        in.fail("its columns differ in length");
}

/// The names' ends, checked: ascending, and on character boundaries of `names`.
std::vector<std::uint64_t> read_name_ends(const JsonReader& in, std::string_view names) {
    auto out = in.column<std::uint64_t>(names.size());
    if (out.empty() && !names.empty())
        in.fail("names without ends");
    std::uint64_t previous = 0;
    for (const std::uint64_t end : out) {
        const bool splits_character =
            end < names.size() && (static_cast<unsigned char>(names[end]) & 0xC0) == 0x80;
        if (end < previous || splits_character)
            in.fail("not the ends of names");
        previous = end;
    }
    if (!out.empty() && out.back() != names.size())
        in.fail("not the ends of names");
    return out;
}

void check_jobs(const JsonReader& in, const Result& result) {
    const JobColumns& jobs = result.jobs;
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        const JobState state = jobs.state[job];
        if (jobs.tenant[job] >= result.tenants.size())
            in.fail("job " + std::to_string(job) + " has no such tenant");
        if (!has_started(state))
            continue;
        const std::int64_t until = has_finished(state) ? jobs.finish_ms[job] : result.end.count();
        const std::int64_t last_start = jobs.last_start(job);
        if (jobs.pool[job] >= result.pools.size())
            in.fail("job " + std::to_string(job) + " has no such pool");
        if (jobs.stalled(job) > jobs.slots(job))
            in.fail("job " + std::to_string(job) + " has more slots stalled than it holds");
        if (jobs.submit_ms[job] > jobs.start_ms[job] || last_start > until)
            in.fail("job " + std::to_string(job) +
                    " is not submitted, started and finished in this order");
    }
}

void read_jobs(const JsonReader& in, Result& result) {
    constexpr auto ms = static_cast<std::uint64_t>(max_ms);
    JobColumns& out = result.jobs;
    out.names = in.at("names").string();
    out.name_end = read_name_ends(in.at("name_end"), out.names);
    for (const std::uint8_t state : in.at("state").column<std::uint8_t>(job_state_names.size() - 1))
        out.state.push_back(static_cast<JobState>(state));
    out.gpus = in.at("gpus").column<std::uint32_t>(max_gpus);
    out.tenant = in.at("tenant").column<std::uint16_t>(std::numeric_limits<std::uint16_t>::max());
    out.pool = in.at("pool").column<std::uint16_t>(std::numeric_limits<std::uint16_t>::max());
    out.submit_ms = in.at("submit_ms").column<std::int64_t>(ms);
    out.start_ms = in.at("start_ms").column<std::int64_t>(ms);
    out.finish_ms = in.at("finish_ms").column<std::int64_t>(ms);
    out.work_ms = in.at("work_ms").column<std::int64_t>(ms);
    if (in.has("gpu_slots")) {
        out.gpu_slots = in.at("gpu_slots").column<std::uint16_t>(slots_per_gpu);
        need_equal_lengths(in, out.size(), out.gpu_slots);
    }
    if (in.has("stalled_slots")) {
        out.stalled_slots = in.at("stalled_slots").column<std::int64_t>(max_gpus * slots_per_gpu);
        need_equal_lengths(in, out.size(), out.stalled_slots);
    }
    if (in.has("level")) {
        out.level = in.at("level").column<std::uint8_t>(std::numeric_limits<std::uint8_t>::max());
        need_equal_lengths(in, out.size(), out.level);
    }
    if (in.has("last_start_ms")) {
        out.last_start_ms = in.at("last_start_ms").column<std::int64_t>(ms);
        need_equal_lengths(in, out.size(), out.last_start_ms);
    }
    need_equal_lengths(in,
                       out.size(),
                       out.gpus,
                       out.tenant,
                       out.pool,
                       out.submit_ms,
                       out.start_ms,
                       out.finish_ms,
                       out.work_ms);
    if (!out.name_end.empty())
        need_equal_lengths(in, out.size(), out.name_end);
    check_jobs(in, result);
}

/// Attempts of a job follow one another, and its last one them.
void check_stopped(const JsonReader& in, const Result& result) {
    const StoppedColumns& stopped = result.stopped;
    std::vector<std::int64_t> free_from = result.jobs.start_ms;
    for (std::size_t i = 0; i < stopped.size(); ++i) {
        const std::uint32_t job = stopped.job[i];
        if (job >= result.jobs.size() || !has_started(result.jobs.state[job]))
            in.fail("attempt " + std::to_string(i) + " belongs to no job that started");
        if (stopped.pool[i] >= result.pools.size())
            in.fail("attempt " + std::to_string(i) + " has no such pool");
        if (stopped.start_ms[i] < free_from[job] || stopped.stop_ms[i] < stopped.start_ms[i])
            in.fail("attempt " + std::to_string(i) + " overlaps another of its job");
        if (stopped.kept_ms[i] + stopped.lost_ms[i] > stopped.stop_ms[i] - stopped.start_ms[i])
            in.fail("attempt " + std::to_string(i) + " was at work for longer than it ran");
        if (stopped.stalled(i) > result.jobs.gpus[job] * slots_per_gpu)
            in.fail("attempt " + std::to_string(i) + " has more slots stalled than it holds");
        free_from[job] = stopped.stop_ms[i];
    }
    for (std::size_t i = 0; i < stopped.size(); ++i) {
        const std::uint32_t job = stopped.job[i];
        const JobState state = result.jobs.state[job];
        if (free_from[job] > result.end.count() ||
            (state != JobState::preempted && free_from[job] > result.jobs.last_start(job)))
            in.fail("attempt " + std::to_string(i) + " overlaps another of its job");
    }
}

void read_stopped(const JsonReader& in, Result& result) {
    StoppedColumns& out = result.stopped;
    out.job = in.at("job").column<std::uint32_t>(std::numeric_limits<std::uint32_t>::max());
    out.pool = in.at("pool").column<std::uint16_t>(std::numeric_limits<std::uint16_t>::max());
    out.level = in.at("level").column<std::uint8_t>(std::numeric_limits<std::uint8_t>::max());
    out.start_ms = in.at("start_ms").column<std::int64_t>(max_ms);
    out.stop_ms = in.at("stop_ms").column<std::int64_t>(max_ms);
    out.kept_ms = in.at("kept_ms").column<std::int64_t>(max_ms);
    out.lost_ms = in.at("lost_ms").column<std::int64_t>(max_ms);
    need_equal_lengths(in, out.size(), out.pool, out.level, out.start_ms, out.stop_ms);
    need_equal_lengths(in, out.size(), out.kept_ms, out.lost_ms);
    if (in.has("stalled_slots")) {
        out.stalled_slots = in.at("stalled_slots").column<std::int64_t>(max_gpus * slots_per_gpu);
        need_equal_lengths(in, out.size(), out.stalled_slots);
    }
    check_stopped(in, result);
}

void read_timeline(const JsonReader& in, Result& result) {
    constexpr std::uint64_t max_queued = std::uint64_t{1} << 48;
    TimelineColumns& out = result.timeline;
    out.time_ms = in.at("time_ms").column<std::int64_t>(max_ms);
    out.pool = in.at("pool").column<std::uint32_t>(std::numeric_limits<std::uint32_t>::max());
    out.allocated_slots = in.at("allocated_slots").column<std::int64_t>(max_gpus * slots_per_gpu);
    out.queue_jobs =
        in.at("queue_jobs").column<std::uint32_t>(std::numeric_limits<std::uint32_t>::max());
    out.queue_slots = in.at("queue_slots").column<std::int64_t>(max_queued);
    need_equal_lengths(
        in, out.size(), out.pool, out.allocated_slots, out.queue_jobs, out.queue_slots);
    for (std::size_t row = 0; row < out.size(); ++row) {
        if (out.pool[row] >= result.pools.size())
            in.fail("row " + std::to_string(row) + " has no such pool");
        if (out.allocated_slots[row] > result.pools[out.pool[row]].num_gpus() * slots_per_gpu)
            in.fail("row " + std::to_string(row) + " has more GPUs allocated than there are");
        if (row > 0 && out.time_ms[row] < out.time_ms[row - 1])
            in.fail("row " + std::to_string(row) + " goes back in time");
    }
}

std::optional<double> read_optional(const JsonReader& in) {
    if (in.is_null())
        return std::nullopt;
    return in.number();
}

std::optional<Repeats> read_repeats(const JsonReader& in) {
    if (in.is_null())
        return std::nullopt;
    Repeats out;
    out.n = in.at("n").unsigned_integer();
    for (const JsonReader& scalar : in.at("scalars").items()) {
        out.scalars.push_back({scalar.at("name").string(),
                               scalar.at("n").unsigned_integer(),
                               scalar.at("mean").number(),
                               scalar.at("min").number(),
                               scalar.at("max").number(),
                               read_optional(scalar.at("sd")),
                               read_optional(scalar.at("ci95_low")),
                               read_optional(scalar.at("ci95_high"))});
    }
    return out;
}

void check_kind(const JsonReader& in) {
    if (!in.has("kind") || !in.at("kind").is("bursar result"))
        in.fail("not a saved result (bursar run --out writes result.json)");
    const std::int64_t version =
        in.at("schema_version").integer(0, std::numeric_limits<int>::max());
    if (version != schema_version)
        in.fail("schema_version is " + std::to_string(version) + " (this program reads " +
                std::to_string(schema_version) + "); run the scenario again");
}

} // namespace

Result parse_result(std::string_view json, std::string_view name) {
    const JsonDocument document{json, name};
    const JsonReader in{document, name};
    check_kind(in);
    Result out;
    out.run = read_run(in.at("run"));
    read_outcome(in.at("outcome"), out);
    out.pools = read_pools(in.at("pools"));
    out.tenants = in.at("tenants").strings();
    out.cells = read_cells(in.at("cells"), out);
    out.metrics = read_metrics(in.at("metrics"));
    read_jobs(in.at("jobs"), out);
    if (in.has("stopped_attempts"))
        read_stopped(in.at("stopped_attempts"), out);
    read_timeline(in.at("timeline"), out);
    out.repeats = read_repeats(in.at("repeat"));
    return out;
}

Result load_result(const std::filesystem::path& path) {
    const std::string name = path.string();
    std::ifstream file{path, std::ios::binary};
    std::string text;
    std::array<char, std::size_t{1} << 16> chunk{};
    while (file.read(chunk.data(), chunk.size()) || file.gcount() > 0)
        text.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
    if (!file.is_open() || file.bad()) {
        throw BadResult{terminal_text(name) +
                        ": cannot be read: " + std::generic_category().message(errno)};
    }
    return parse_result(text, name);
}

} // namespace bursar::inline reports
