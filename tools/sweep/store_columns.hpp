#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "reports/scalars/scalars.hpp"
#include "reports/sweep/sweep_table.hpp"

#include "tools/sweep/database.hpp"

/// The columns of a sweep's database.
namespace bursar { inline namespace tools {

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

}} // namespace bursar::tools
