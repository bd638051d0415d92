#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "reports/scalars/scalars.hpp"
#include "reports/sweep/sweep_table.hpp"

#include "tools/sweep/database.hpp"
#include "tools/sweep/stored_text.hpp"

/// The columns of a sweep's database.
namespace bursar::inline tools {

/// The columns of `runs` before the scalars.
inline constexpr std::string_view own_columns =
    "scenario, seed, status, message, fingerprint, end_ms, "
    "wall_s, ends_by_itself, measured_to_ms, kept, warnings";
inline constexpr int num_own_columns = 11;

/// Those of the scalars, each behind a comma. type: of each, where they are made.
inline std::string scalar_columns(std::string_view type = {}) {
    std::string out;
    for (const ScalarRow& scalar : scalar_table())
        out += fmt::format(", {} {}", sql_name(scalar.name), type);
    return out;
}

/// Those of the paths of `planned`, likewise.
inline std::string path_columns(const SweepTable& table) {
    std::string out;
    for (const std::string& path : table.paths)
        out += ", " + sql_name(path);
    return out;
}

/// A row of `runs`: own_columns, then the scalars.
inline void read_run(const Database::Statement& ask, SweepRow& row) {
    int column = 2;
    const std::string status = ask.text(column++);
    (status == "pruned" ? row.pruned : row.failure) = ask.text(column++);
    row.fingerprint = hash_from(ask.text(column++));
    row.end = Duration{ask.integer(column++)};
    row.wall_s = ask.number(column++).value_or(0);
    row.ends_by_itself = ask.integer(column++) != 0;
    if (const std::int64_t to = ask.integer(column++); to >= 0)
        row.measured_to = Duration{to};
    row.kept = kept_of(ask.text(column++));
    row.warnings = ask.text(column++);
    if (status != "ok")
        return;
    row.scalars.reserve(scalar_table().size());
    for (std::size_t i = 0; i < scalar_table().size(); ++i)
        row.scalars.push_back(ask.number(column++));
}

} // namespace bursar::inline tools
