#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/result/saved_bounds.hpp"
#include "reports/sweep/sweep_table.hpp"

#include "tools/sweep/database.hpp"

namespace bursar { inline namespace tools {

/// A row of a sweep's database as anybody may have left it: whatever no sweep writes is a BadResult
/// with the file, the column and what it holds. ask: stands at a row, and outlives this.
class StoredRow {
  public:
    /// table: whose row it is. file: of the database. Both outlive this.
    StoredRow(const Database::Statement& ask, std::string_view table, std::string_view file)
        : ask_{ask}, table_{table}, file_{file} {}

    /// Valid UTF-8.
    [[nodiscard]] std::string text(int column) const;
    /// What hex_of() wrote.
    [[nodiscard]] std::uint64_t hash(int column) const;
    /// From `least` to `most`.
    [[nodiscard]] std::int64_t integer(int column, std::int64_t least, std::int64_t most) const;
    /// Milliseconds.
    [[nodiscard]] Duration span(int column) const {
        return Duration{integer(column, 0, saved::max_ms)};
    }
    /// Finite; absent: null.
    [[nodiscard]] std::optional<double> number(int column) const;

    [[noreturn]] void fail(int column) const;

  private:
    const Database::Statement& ask_;
    std::string_view table_;
    std::string_view file_;
};

/// Reads a row of `runs`: own_columns, then the scalars. row: as it is planned.
void read_run(const StoredRow& stored, SweepRow& row);

}} // namespace bursar::tools
