#include <string>

#include "reports/scalars/scalars.hpp"
#include "reports/sweep/sweep_formats.hpp"
#include "reports/sweep/sweep_points.hpp"
#include "reports/text/csv_row.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

/// The name of a scalar with its unit: "cost.total_usd", "cost.usd_per_finished_job". Units that
/// are not of money are in the names of scalars.
std::string column_name(const ScalarRow& scalar) {
    if (scalar.kind != ScalarKind::usd && scalar.kind != ScalarKind::rate)
        return scalar.name;
    std::string name = scalar.name;
    const std::size_t per = name.find(".per_");
    return per == std::string::npos ? name + "_usd" : name.insert(per + 1, "usd_");
}

void put_header(const SweepTable& table, CsvRow& row) {
    row.plain("number,scenario_hash,seed,status,message");
    for (const std::string& path : table.paths)
        row.text(path);
    row.plain("fingerprint,end_s,common_end_s,cost_past_end_usd");
    row.text(column_name(common_end_cost()));
    for (const ScalarRow& scalar : scalar_table())
        row.text(column_name(scalar));
    row.end();
}

} // namespace

void write_sweep_csv(const SweepTable& table, TextSink& sink) {
    CsvRow row{sink};
    put_header(table, row);
    const ScalarRow& total = *find_scalar("cost.total");
    const CommonEnds ends = common_ends(table);
    for (const SweepRow& run : table.rows) {
        const bool is_ok = run.has_result();
        row.integer(run.number).plain(hash_text(run.scenario_hash)).integer(run.seed);
        row.plain(is_ok ? "ok" : (run.pruned.empty() ? "failed" : "pruned"));
        row.text(run.pruned.empty() ? run.failure : run.pruned);
        for (const std::string& value : run.values)
            row.text(value);
        if (!is_ok) {
            row.empty(5 + scalar_table().size()).end();
            continue;
        }
        const RunEnding& ending = run.ending;
        const Duration common = ending.by_itself ? ends.of(run.seed) : ending.end;
        row.plain(hash_text(run.fingerprint)).micro(int128{ending.end.count()} * 1000);
        row.micro(int128{common.count()} * 1000).number(ends.cost_past(run.seed, ending));
        row.number(ends.cost_to(run.seed, ending, value_of(run, total)));
        for (const std::optional<double>& value : run.scalars)
            row.number(value);
        row.end();
    }
}

}} // namespace bursar::reports
