#include "reports/result/saved_result.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <variant>

#include <fmt/format.h>

#include "sim/ledger/bucket_ledger.hpp"

#include "reports/metrics/metric_table.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/add_places.hpp"
#include "reports/result/json_reader.hpp"
#include "reports/result/member_io.hpp"
#include "reports/result/saved_file.hpp"
#include "reports/result/saved_members.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {
namespace {

using namespace saved; // the members

constexpr SavedKind result_kind{
    "bursar result", 5, "result", "bursar run --out writes result.json", "run the scenario again"};

// Metrics, row by row of the metric table.

std::string saved_as(const Percentile& percentile) {
    return std::string{percentile.name} + "_hundredths";
}

void write_row(const MetricRow& row, const Metrics& metrics, JsonBlocks& blocks, JsonWriter& json) {
    const std::optional<int128> value = row.stored.get(metrics);
    const bool in_block = row.saved_as.find('.') != std::string_view::npos;
    if (row.saved_as.empty() || (!value && in_block))
        return; // a block that does not apply is left out
    blocks.key(row.saved_as);
    if (!value)
        json.null();
    else if (row.stored.form == StoredNumber::Form::exact)
        json.exact(*value);
    else
        json.integer(*value);
}

void write_row(const DistributionRow& row,
               const Metrics& metrics,
               JsonBlocks& blocks,
               JsonWriter& json) {
    const Distribution& values = metrics.*row.values;
    blocks.end();
    json.object(row.saved_as, [&] {
        json.integer("count", values.count);
        json.exact("sum", values.sum);
        for (const Percentile& percentile : percentiles)
            json.exact(saved_as(percentile), (values.*percentile.hundredths).value_or(0));
        json.integer("max", values.max);
    });
}

void write_metrics(const Metrics& metrics, JsonWriter& json) {
    json.object("metrics", [&] {
        JsonBlocks blocks{json};
        for (const MetricEntry& entry : metric_table())
            std::visit([&](const auto& row) { write_row(row, metrics, blocks, json); }, entry);
        blocks.end();
    });
}

int128 read_number(const JsonReader& in, StoredNumber::Form form) {
    switch (form) {
    case StoredNumber::Form::count:
        return in.integer<std::uint64_t>();
    case StoredNumber::Form::milliseconds:
        return in.integer<std::int64_t>();
    case StoredNumber::Form::exact:
        break;
    }
    return in.exact();
}

void read_row(const JsonReader& in, const MetricRow& row, Metrics& out) {
    const std::size_t dot = row.saved_as.find('.');
    const bool in_block = dot != std::string_view::npos;
    const std::string_view key = in_block ? row.saved_as.substr(dot + 1) : row.saved_as;
    if (key.empty() || (in_block && !in.has(row.saved_as.substr(0, dot))))
        return; // it does not apply
    const JsonReader value = (in_block ? in.at(row.saved_as.substr(0, dot)) : in).at(key);
    if (!row.stored.may_be_null || !value.is_null())
        row.stored.set(out, read_number(value, row.stored.form));
}

void read_row(const JsonReader& in, const DistributionRow& row, Metrics& out) {
    const JsonReader figures = in.at(row.saved_as);
    Distribution& values = out.*row.values;
    values.count = figures.at("count").integer<std::uint64_t>();
    values.sum = figures.at("sum").exact();
    for (const Percentile& percentile : percentiles)
        if (const int128 hundredths = figures.at(saved_as(percentile)).exact(); values.count > 0)
            values.*percentile.hundredths = hundredths;
    values.max = figures.at("max").integer<std::int64_t>();
}

Metrics read_metrics(const JsonReader& in) {
    Metrics out;
    for (const MetricEntry& entry : metric_table())
        std::visit([&](const auto& row) { read_row(in, row, out); }, entry);
    return out;
}

// The whole result.

constexpr Duration max_past_end = 100 * year; ///< of a term, in a scenario
constexpr Duration max_date = 9999 * year;    ///< from 1970
constexpr Duration max_month = 32 * day;

/// Throws where the list of months up to a time would never end, and where a period begins after
/// the end of the run. Precondition: the indices are in range.
void check_times(const JsonReader& in, const Result& result) {
    const auto check = [&](bool holds, std::string_view where) {
        if (!holds)
            in.fail(fmt::format("{}: a time out of range", where));
    };
    const auto is_in_run = [](Duration t) { return t >= Duration{} && t <= max_series_time; };
    const Duration zero{result.zero_utc_ms.value_or(0)};
    check(zero >= -max_date && zero <= max_date, "outcome.zero_utc_ms");
    check(is_in_run(result.end), "outcome.end_ms");
    check(is_in_run(result.window_begin), "outcome.window_begin_ms");
    check(is_in_run(result.window_end), "outcome.window_end_ms");
    const std::vector<ResultMonth>& months = result.run.months;
    for (std::size_t i = 0; i < months.size(); ++i)
        check(months[i].begin < months[i].end && months[i].begin >= -max_month &&
                  months[i].end <= max_series_time + max_month &&
                  (i == 0 || months[i].begin == months[i - 1].end),
              "run.months");
    for (const ResultCell& cell : result.cells) {
        const ResultPool& pool = result.pools[cell.pool];
        const int128 slots = int128{pool.num_nodes} * pool.gpus_per_node * slots_per_gpu;
        check(cell.leaf != Leaf::unavail_reserved_unlaunched || pool.has_range() ||
                  cell.held.count() <= slots * max_past_end.count(),
              "cells");
    }
    const PeriodColumns& periods = result.periods;
    check(std::ranges::all_of(periods.bucket,
                              [&](std::uint32_t bucket) {
                                  return periods.origin + bucket * periods.width <= result.end;
                              }),
          "periods.bucket");
}

/// Throws where an index, or a column that indices depend on, is out of range. With the hash this
/// and check_times() are all that is checked: no file can make the program read memory that is not
/// the result's.
void check_indices(const JsonReader& in, const Result& result) {
    const auto check = [&](bool holds, std::string_view where) {
        if (!holds)
            in.fail(fmt::format("{}: an index out of range", where));
    };
    const auto all_below = [&](std::string_view where, const auto& indices, std::size_t size) {
        check(std::ranges::all_of(indices, [&](auto index) { return index < size; }), where);
    };
    const auto is_pool = [&](std::uint32_t pool) { return pool < result.pools.size(); };
    const auto is_tenant = [&](std::uint32_t tenant) { return tenant < result.tenants.size(); };
    bool varies = false;
    for (const ResultPool& pool : result.pools) {
        check(!pool.grid || (pool.energy && pool.energy->grid), "pools");
        varies = varies || pool.price.varies();
    }
    for (const ResultCell& cell : result.cells)
        check(is_pool(cell.pool) && (!cell.tenant || is_tenant(*cell.tenant)), "cells");
    for (const ModelledRun& modelled : result.modelled)
        check(is_pool(modelled.pool), "modelled");
    for (const ResultBudget& budget : result.run.budgets)
        check((!budget.pool || is_pool(*budget.pool)) &&
                  (!budget.tenant || is_tenant(*budget.tenant)),
              "run.budgets");
    const JobColumns& jobs = result.jobs;
    all_below("jobs.tenant", jobs.tenant, result.tenants.size());
    all_below("jobs.class", jobs.job_class, result.classes.size());
    all_below("jobs.pool", jobs.pool, result.pools.size());
    all_below("jobs.modelled", jobs.modelled, result.modelled.size() + 1);
    all_below("jobs.name_end", jobs.name_end, jobs.names.size() + 1);
    check(std::ranges::is_sorted(jobs.name_end) &&
              (jobs.name_end.empty() || jobs.name_end.size() == jobs.size()),
          "jobs.name_end");
    all_below("stopped_attempts.job", result.stopped.job, jobs.size());
    all_below("stopped_attempts.pool", result.stopped.pool, result.pools.size());
    all_below("phases.kind", result.phases.kind, result.phases.startup_ms.size());
    check(result.phases.kind.empty() ? jobs.size() == 0 || !result.phases.empty()
                                     : result.phases.kind.size() == jobs.size(),
          "phases.kind");
    all_below("timeline.pool", result.timeline.pool, result.pools.size());
    const PeriodColumns& periods = result.periods;
    all_below("periods.cell", periods.cell, result.cells.size());
    all_below("periods.bucket", periods.bucket, BucketLedger::max_buckets);
    check(periods.width <= max_series_time, "periods.width_ms");
    check(periods.origin <= Duration{} && periods.origin > -day, "periods.origin_ms");
    all_below("periods.slot_ms_high", periods.slot_ms_high, PeriodColumns::max_held_high);
    check(periods.cost_high.size() == (varies ? periods.size() : 0) &&
              periods.cost_low.size() == periods.cost_high.size(),
          "periods.cost_high");
    if (const std::string mistake = mistake_in_places(result); !mistake.empty())
        in.fail("places: " + mistake);
}

template <class Members>
void read(const JsonReader& object, const Members& members) {
    MemberReader io{object};
    members(io);
}

/// release: see JsonDocument.
Result read_result(std::string_view json, std::string_view name, JsonDocument::Release release) {
    const JsonDocument document{json, name, std::move(release)};
    const JsonReader in{document};
    check_saved(in, json, result_kind);
    Result out;
    const auto read_if_any = [&](std::string_view key, const auto& members) {
        if (in.has(key))
            read(in.at(key), members);
    };
    MemberReader whole{in};
    read(in.at("run"), [&](auto& io) { run_members(io, out.run); });
    read(in.at("outcome"), [&](auto& io) { outcome_members(io, out); });
    whole.list("pools", out.pools, [](auto& io, auto& pool) { pool_members(io, pool); });
    whole.strings("tenants", out.tenants);
    if (in.has("classes"))
        whole.strings("classes", out.classes);
    whole.list("cells", out.cells, [](auto& io, auto& cell) { cell_members(io, cell); });
    if (in.has("modelled"))
        whole.list("modelled", out.modelled, [](auto& io, auto& modelled) {
            modelled_members(io, modelled);
        });
    out.metrics = read_metrics(in.at("metrics"));
    read(in.at("jobs"), [&](auto& io) { job_members(io, out.jobs); });
    read_if_any("stopped_attempts", [&](auto& io) { stopped_members(io, out.stopped); });
    read_if_any("places", [&](auto& io) { place_members(io, out.places); });
    read_if_any("phases", [&](auto& io) { phase_members(io, out.phases); });
    read(in.at("timeline"), [&](auto& io) { timeline_members(io, out.timeline); });
    read_if_any("periods", [&](auto& io) { period_members(io, out.periods); });
    if (const JsonReader repeat = in.at("repeat"); !repeat.is_null())
        read(repeat, [&](auto& io) { repeat_members(io, out.repeats.emplace()); });
    check_indices(in, out);
    check_times(in, out);
    return out;
}

} // namespace

void write_saved_result(const Result& result, const OutputOptions& options, TextSink& sink) {
    HashedSink hashed{sink};
    JsonWriter json{hashed};
    MemberWriter io{json, options.reproducible};
    json.begin_object();
    json.string("kind", result_kind.kind);
    json.integer("schema_version", result_kind.version);
    json.object("run", [&] { run_members(io, result.run); });
    json.object("outcome", [&] { outcome_members(io, result); });
    io.list("pools", result.pools, [](auto& one, const auto& pool) { pool_members(one, pool); });
    io.strings("tenants", result.tenants);
    if (!result.classes.empty())
        io.strings("classes", result.classes);
    io.list("cells", result.cells, [](auto& one, const auto& cell) { cell_members(one, cell); });
    if (!result.modelled.empty())
        io.list("modelled", result.modelled, [](auto& one, const auto& modelled) {
            modelled_members(one, modelled);
        });
    write_metrics(result.metrics, json);
    json.object("jobs", [&] { job_members(io, result.jobs); });
    if (result.stopped.size() > 0)
        json.object("stopped_attempts", [&] { stopped_members(io, result.stopped); });
    if (!result.places.empty())
        json.object("places", [&] { place_members(io, result.places); });
    if (!result.phases.empty())
        json.object("phases", [&] { phase_members(io, result.phases); });
    json.object("timeline", [&] { timeline_members(io, result.timeline); });
    if (result.periods.size() > 0)
        json.object("periods", [&] { period_members(io, result.periods); });
    json.key("repeat");
    result.repeats ? json.object([&] { repeat_members(io, *result.repeats); }) : json.null();
    json.hash(content_hash_key, hashed.hash());
    json.end_object();
    hashed.flush();
}

Result parse_result(std::string_view json, std::string_view name) {
    return read_result(json, name, [](std::string_view /*read*/) {});
}

Result load_result(const std::filesystem::path& path) {
    FileText file;
    read_saved_file(path, result_kind, file);
    return read_result(
        file.text(), path.string(), [&](std::string_view read) { file.release(read); });
}

}} // namespace bursar::reports
