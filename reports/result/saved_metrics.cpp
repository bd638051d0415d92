#include "reports/result/saved_metrics.hpp"

#include <limits>
#include <string>

#include "reports/metrics/metric_table.hpp"
#include "reports/result/json_reader.hpp"
#include "reports/result/saved_bounds.hpp"
#include "reports/text/json_blocks.hpp"

namespace bursar { inline namespace reports {
namespace {

std::string saved_as(const Percentile& percentile) {
    return std::string{percentile.name} + "_hundredths";
}

void write_row(const MetricRow& row, const Metrics& metrics, JsonBlocks& blocks, JsonWriter& json) {
    const std::optional<int128> value = row.stored.get(metrics);
    if (!value && row.saved_as.find('.') != std::string_view::npos)
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
    json.key(row.saved_as);
    json.begin_object();
    json.integer("count", values.count);
    json.exact("sum", values.sum);
    for (const Percentile& percentile : percentiles) {
        const auto& hundredths = values.*percentile.hundredths;
        // One that an older result lacked stays unknown; of no values, files have always said 0.
        if (hundredths || values.count == 0)
            json.exact(saved_as(percentile), hundredths.value_or(0));
    }
    json.integer("max", values.max);
    json.end_object();
}

int128 read_number(const JsonReader& in, const MetricRow& row) {
    switch (row.stored.form) {
    case StoredNumber::Form::count:
        return in.unsigned_integer();
    case StoredNumber::Form::milliseconds:
        return in.integer(0, saved::max_ms);
    case StoredNumber::Form::exact:
        break;
    }
    return in.exact(row.kind == ScalarKind::gpu_hours ? saved::max_slot_ms : saved::max_count);
}

void read_row(const JsonReader& in, const MetricRow& row, Metrics& out) {
    const std::size_t dot = row.saved_as.find('.');
    const bool in_block = dot != std::string_view::npos;
    const std::string_view key = in_block ? row.saved_as.substr(dot + 1) : row.saved_as;
    if (in_block && !in.has(row.saved_as.substr(0, dot)))
        return; // it does not apply, or the file is older
    const JsonReader block = in_block ? in.at(row.saved_as.substr(0, dot)) : in;
    if (!row.stored.in_every_file && !block.has(key))
        return;
    const JsonReader value = block.at(key);
    if (!row.stored.may_be_null || !value.is_null())
        row.stored.set(out, read_number(value, row));
}

/// Fails on figures with which an output would overflow.
void check(const JsonReader& in, const DistributionRow& row, const Distribution& values) {
    for (const Percentile& percentile : percentiles) {
        const int128 hundredths = (values.*percentile.hundredths).value_or(0);
        if (row.unit == DistributionUnit::milliseconds && hundredths > int128{saved::max_ms} * 100)
            in.fail("a percentile is longer than any run");
        if (row.unit == DistributionUnit::number && hundredths > saved::max_count)
            in.fail("a figure is larger than any run can have");
    }
    if (row.unit == DistributionUnit::number && values.sum > saved::max_count)
        in.fail("a figure is larger than any run can have");
}

void read_row(const JsonReader& in, const DistributionRow& row, Metrics& out) {
    if (!row.in_every_file && !in.has(row.saved_as))
        return;
    const JsonReader figures = in.at(row.saved_as);
    Distribution& values = out.*row.values;
    values.count = figures.at("count").unsigned_integer();
    values.sum = figures.at("sum").exact(saved::max_statistic);
    for (const Percentile& percentile : percentiles) {
        const std::string key = saved_as(percentile);
        if (values.count > 0 && figures.has(key)) // else there is none, or the file is older
            values.*percentile.hundredths = figures.at(key).exact(saved::max_statistic);
    }
    values.max = figures.at("max").integer(0, std::numeric_limits<std::int64_t>::max());
    check(figures, row, values);
}

} // namespace

void write_metrics(const Metrics& metrics, JsonWriter& json) {
    json.begin_object();
    JsonBlocks blocks{json};
    for (const MetricEntry& entry : metric_table())
        std::visit([&](const auto& row) { write_row(row, metrics, blocks, json); }, entry);
    blocks.end();
    json.end_object();
}

Metrics read_metrics(const JsonReader& in) {
    Metrics out;
    for (const MetricEntry& entry : metric_table())
        std::visit([&](const auto& row) { read_row(in, row, out); }, entry);
    return out;
}

}} // namespace bursar::reports
