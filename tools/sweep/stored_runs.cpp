#include "tools/sweep/stored_runs.hpp"

#include <optional>

#include <fmt/format.h>

#include "reports/scalars/scalars.hpp"

#include "tools/sweep/stored_text.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::string_view own_columns = "scenario, seed, status, message, fingerprint, end_ms, "
                                         "wall_s, ends_by_itself, measured_to_ms, kept, warnings";
constexpr int num_own_columns = 11;

} // namespace

std::string run_columns(std::string_view type) {
    std::string out{own_columns};
    for (const ScalarRow& scalar : scalar_table())
        out += fmt::format(", {} {}", sql_name(scalar.name), type);
    return out + ", row_hash";
}

int num_run_columns() {
    return num_own_columns + static_cast<int>(scalar_table().size()) + 1;
}

void set_run(Database::Statement& insert, const SweepRow& row) {
    const std::string_view no_result = row.pruned.empty() ? "failed" : "pruned";
    insert.set(1, hex_of(row.scenario_hash));
    insert.set(2, static_cast<std::int64_t>(row.seed));
    insert.set(3, row.has_result() ? "ok" : no_result);
    insert.set(4, row.pruned.empty() ? row.failure : row.pruned);
    insert.set(5, hex_of(row.fingerprint));
    insert.set(6, row.ending.end.count());
    insert.set(7, std::optional{row.wall_s});
    insert.set(8, std::int64_t{row.ending.by_itself ? 1 : 0});
    insert.set(9, row.ending.measured_to.value_or(Duration{-1}).count());
    insert.set(10, kept_text(row.ending.kept));
    insert.set(11, row.warnings);
    int number = num_own_columns;
    for (std::size_t i = 0; i < scalar_table().size(); ++i)
        insert.set(++number, row.scalars.empty() ? std::optional<double>{} : row.scalars[i]);
    insert.set_row_hash(++number);
}

bool read_run(const Database::Statement& stored, SweepRow& row) {
    (stored.text(2) == "pruned" ? row.pruned : row.failure) = stored.text(3);
    row.fingerprint = hash_from(stored.text(4));
    row.ending.end = Duration{stored.integer(5)};
    row.wall_s = stored.number(6).value_or(0);
    row.ending.by_itself = stored.integer(7) != 0;
    if (const std::int64_t to = stored.integer(8); to >= 0)
        row.ending.measured_to = Duration{to};
    auto kept = kept_of(stored.text(9));
    if (!kept)
        return false;
    row.ending.kept = std::move(*kept);
    row.warnings = stored.text(10);
    if (row.has_result())
        for (int i = 0; i < static_cast<int>(scalar_table().size()); ++i)
            row.scalars.push_back(stored.number(num_own_columns + i));
    return true;
}

}} // namespace bursar::tools
