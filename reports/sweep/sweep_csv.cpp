#include "reports/sweep/sweep_csv.hpp"

#include <string>

#include <fmt/format.h>

#include "reports/scalars/scalars.hpp"
#include "reports/sweep/common_end.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

void put_text(std::string_view text, TextSink& sink) {
    sink.put(',');
    put_csv_field(sink, text);
}

void put_seconds(Duration span, TextSink& sink) {
    sink.put(',');
    sink.put_micro(int128{span.count()} * 1000);
}

void put_header(const SweepTable& table, TextSink& sink) {
    sink.put("number,scenario_hash,seed,status,message");
    for (const std::string& path : table.paths)
        put_text(path, sink);
    sink.put(",fingerprint,end_s,common_end_s,cost_past_end_usd");
    for (const ScalarRow& scalar : scalar_table())
        put_text(scalar.name, sink);
    sink.put('\n');
}

} // namespace

void write_sweep_csv(const SweepTable& table, TextSink& sink) {
    put_header(table, sink);
    const SweepTable paid = paid_to_common_end(table);
    const Duration end = common_end(table);
    for (const SweepRow& row : paid.rows) {
        const bool is_ok = row.has_result();
        sink.put_integer(row.number);
        put_text(fmt::format("{:016x}", row.scenario_hash), sink);
        sink.put(',');
        sink.put_integer(row.seed);
        put_text(is_ok ? "ok" : (row.pruned.empty() ? "failed" : "pruned"), sink);
        put_text(row.pruned.empty() ? row.failure : row.pruned, sink);
        for (const std::string& value : row.values)
            put_text(value, sink);
        if (!is_ok) {
            sink.put(std::string(4 + scalar_table().size(), ','));
            sink.put('\n');
            continue;
        }
        put_text(fmt::format("{:016x}", row.fingerprint), sink);
        put_seconds(row.end, sink);
        put_seconds(row.ends_by_itself ? end : row.end, sink);
        sink.put(',');
        sink.put_number(cost_past_end(end, row));
        for (const std::optional<double>& value : row.scalars) {
            sink.put(',');
            if (value)
                sink.put_number(*value);
        }
        sink.put('\n');
    }
}

}} // namespace bursar::reports
