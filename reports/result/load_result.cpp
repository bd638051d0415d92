#include <algorithm>
#include <limits>
#include <system_error>
#include <tuple>

#include <fmt/format.h>

#include "sim/plan/plan.hpp"

#include "reports/errors/report_error.hpp"
#include "reports/result/add_places.hpp"
#include "reports/result/check_books.hpp"
#include "reports/result/content_hash.hpp"
#include "reports/result/file_text.hpp"
#include "reports/result/json_reader.hpp"
#include "reports/result/member_io.hpp"
#include "reports/result/saved_file.hpp"
#include "reports/result/saved_members.hpp"
#include "reports/result/saved_metrics.hpp"
#include "reports/result/saved_result.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

using namespace saved; // the members and their bounds

void check_outcome(const JsonReader& in, const Result& result) {
    if (result.window_begin > result.window_end)
        in.fail("the window ends before it begins");
}

/// What an older file says of the measured jobs: those of the window, if it has an end of its own.
void measure_window(Result& result) {
    result.measure_from = result.window_begin;
    if (result.window_end < result.end)
        result.measure_to = result.window_end;
}

void check_pools(const JsonReader& in, const Result& result) {
    const std::vector<JsonReader> pools = in.items();
    for (std::size_t i = 0; i < pools.size(); ++i)
        if (result.pools[i].num_gpus() > max_gpus)
            pools[i].fail("more than " + std::to_string(max_gpus) + " GPUs");
    if (pools.size() > max_pools)
        in.fail("more than " + std::to_string(max_pools) + " pools");
}

/// Where a cell stands in the fixed order; no tenant comes after every tenant.
std::tuple<std::uint32_t, bool, std::uint32_t, Leaf> order_of(const ResultCell& cell) {
    return {cell.pool, !cell.tenant, cell.tenant.value_or(0), cell.leaf};
}

void check_cells(const JsonReader& in, const Result& result) {
    SlotTime held;
    Money cost;
    for (const OtherCost& other : result.run.other_costs) {
        cost += other.cost;
        if (cost > Money{max_money})
            in.fail("other costs add up to too much");
    }
    const std::vector<JsonReader> cells = in.items();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const ResultCell& cell = result.cells[i];
        if (i > 0 && order_of(result.cells[i - 1]) >= order_of(cell))
            cells[i].fail("not in the order of pool, tenant and leaf");
        held += cell.held;
        cost += cell.cost;
        if (held > SlotTime{max_slot_ms} || cost > Money{max_money})
            in.fail("the cells add up to too much");
    }
}

/// The names' ends: one per job, ascending, and on character boundaries of `names`.
void check_names(const JsonReader& in, const JobColumns& jobs) {
    const JsonReader ends = in.at("name_end");
    const std::string& names = jobs.names;
    if (jobs.name_end.empty() && !names.empty())
        ends.fail("names without ends");
    std::uint64_t previous = 0;
    for (const std::uint64_t end : jobs.name_end) {
        const bool splits_character =
            end < names.size() && (static_cast<unsigned char>(names[end]) & 0xC0) == 0x80;
        if (end < previous || splits_character)
            ends.fail("not the ends of names");
        previous = end;
    }
    if (!jobs.name_end.empty() && jobs.name_end.back() != names.size())
        ends.fail("not the ends of names");
    if (!jobs.name_end.empty() && jobs.name_end.size() != jobs.size())
        in.fail("its columns differ in length");
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

/// Attempts of a job follow one another, and its last one them.
void check_stopped(const JsonReader& in, const Result& result) {
    const StoppedColumns& stopped = result.stopped;
    std::vector<std::int64_t> free_from = result.jobs.start_ms;
    for (std::size_t i = 0; i < stopped.size(); ++i) {
        const std::uint32_t job = stopped.job[i];
        if (job >= result.jobs.size() || !has_started(result.jobs.state[job]))
            in.fail("attempt " + std::to_string(i) + " belongs to no job that started");
        if (stopped.cause_of(i) == StopCause::none)
            in.fail("attempt " + std::to_string(i) + " has no cause");
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

/// Months follow each other inside the run, and budgets are of pools and tenants that are there.
void check_budgets(const JsonReader& in, const Result& result) {
    Duration before;
    for (const ResultMonth& month : result.run.months) {
        if (month.begin < before || month.end < month.begin || month.end > result.end)
            in.fail("its months are not in order");
        before = month.end;
    }
    for (const ResultBudget& budget : result.run.budgets)
        if ((budget.pool && *budget.pool >= result.pools.size()) ||
            (budget.tenant && *budget.tenant >= result.tenants.size()))
            in.fail("a budget is of a pool or a tenant that it does not have");
    for (const ResultBudget& budget : result.run.budgets)
        for (const BudgetStop& stop : budget.stops)
            if (stop.end < stop.begin || stop.end > result.end)
                in.fail("what a budget stopped is not inside the run");
}

void check_phases(const JsonReader& in, const Result& result) {
    const PhaseColumns& out = result.phases;
    if (out.empty())
        in.fail("they are of no kind of jobs");
    if (!out.kind.empty() && out.kind.size() != result.jobs.size())
        in.fail("not every job has a kind");
}

void check_timeline(const JsonReader& in, const Result& result) {
    const TimelineColumns& out = result.timeline;
    for (std::size_t row = 0; row < out.size(); ++row) {
        if (out.pool[row] >= result.pools.size())
            in.fail("row " + std::to_string(row) + " has no such pool");
        if (out.allocated_slots[row] > result.pools[out.pool[row]].num_gpus() * slots_per_gpu)
            in.fail("row " + std::to_string(row) + " has more GPUs allocated than there are");
        if (row > 0 && out.time_ms[row] < out.time_ms[row - 1])
            in.fail("row " + std::to_string(row) + " goes back in time");
    }
}

void check_periods(const JsonReader& in, const Result& result) {
    const PeriodColumns& out = result.periods;
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (out.cell[i] >= result.cells.size())
            in.fail("part " + std::to_string(i) + " is of no cell");
        if (i > 0 &&
            std::pair{out.bucket[i - 1], out.cell[i - 1]} >= std::pair{out.bucket[i], out.cell[i]})
            in.fail("part " + std::to_string(i) + " is not in the order of time and cell");
    }
}

template <class Members>
void read(const JsonReader& object, const Members& members) {
    MemberReader io{object};
    members(io);
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

/// A file that an older program saved has no hash.
void check_hash(const JsonReader& in, std::string_view text) {
    if (in.has(content_hash_key) && !has_right_hash(text))
        in.fail(std::string{content_hash_key} +
                " does not fit: the file was changed after it was saved; run the scenario again");
}

/// release: see JsonDocument.
Result read_result(std::string_view json, std::string_view name, JsonDocument::Release release) {
    const JsonDocument document{json, name, std::move(release)};
    const JsonReader in{document};
    check_kind(in);
    check_hash(in, json);
    Result out;
    read(in.at("run"), [&](MemberReader& io) { run_members(io, out.run); });
    read(in.at("outcome"), [&](MemberReader& io) { outcome_members(io, out); });
    check_outcome(in.at("outcome"), out);
    if (!in.at("outcome").has("measure_from_ms"))
        measure_window(out);
    MemberReader whole{in};
    whole.list(
        "pools", out.pools, [](MemberReader& io, ResultPool& pool) { pool_members(io, pool); });
    check_pools(in.at("pools"), out);
    whole.strings("tenants", out.tenants);
    whole.list("cells", out.cells, [&](MemberReader& io, ResultCell& cell) {
        cell_members(io, cell, out);
    });
    check_cells(in.at("cells"), out);
    if (in.has("modelled"))
        whole.list("modelled", out.modelled, [&](MemberReader& io, ModelledRun& modelled) {
            modelled_members(io, modelled, out);
        });
    out.metrics = read_metrics(in.at("metrics"));
    read(in.at("jobs"), [&](MemberReader& io) { job_members(io, out.jobs, out.modelled.size()); });
    check_names(in.at("jobs"), out.jobs);
    check_jobs(in.at("jobs"), out);
    if (in.has("stopped_attempts")) {
        read(in.at("stopped_attempts"),
             [&](MemberReader& io) { stopped_members(io, out.stopped); });
        check_stopped(in.at("stopped_attempts"), out);
    }
    if (in.has("places")) {
        read(in.at("places"), [&](MemberReader& io) { place_members(io, out.places); });
        if (const std::string mistake = mistake_in_places(out); !mistake.empty())
            in.at("places").fail(mistake);
    }
    if (in.has("phases")) {
        read(in.at("phases"), [&](MemberReader& io) { phase_members(io, out.phases); });
        check_phases(in.at("phases"), out);
    }
    read(in.at("timeline"), [&](MemberReader& io) { timeline_members(io, out.timeline); });
    check_timeline(in.at("timeline"), out);
    if (in.has("periods")) {
        read(in.at("periods"), [&](MemberReader& io) { period_members(io, out.periods); });
        check_periods(in.at("periods"), out);
    }
    check_budgets(in, out);
    if (const JsonReader repeat = in.at("repeat"); !repeat.is_null())
        read(repeat, [&](MemberReader& io) { repeat_members(io, out.repeats.emplace()); });
    if (const std::string mistake = mistake_in_books(out); !mistake.empty())
        in.fail("its books do not balance: " + mistake);
    return out;
}

} // namespace

Result parse_result(std::string_view json, std::string_view name) {
    return read_result(json, name, [](std::string_view /*read*/) {});
}

Result load_result(const std::filesystem::path& path) {
    FileText file;
    read_saved_file(path, {"saved result", "give the result.json of `run --out`"}, file);
    return read_result(
        file.text(), path.string(), [&](std::string_view read) { file.release(read); });
}

}} // namespace bursar::reports
