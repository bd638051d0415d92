#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/traces/job_columns.hpp"
#include "scenarios/traces/text/csv_reader.hpp"
#include "scenarios/traces/trace_builder.hpp"

namespace bursar {

/// What to do about a header line that has semicolons or tabs and no comma; else empty.
std::string separator_hint(std::string_view header_line);

/// The column names of a CSV file, by field.
class CsvHeader {
  public:
    /// Takes the next row of `reader` as the header. Throws ScenarioError when there is none or it
    /// is malformed.
    explicit CsvHeader(CsvReader& reader);

    /// The field of the first of `names` that the file has; absent when it has none of them.
    /// Throws ScenarioError when it has that one twice.
    [[nodiscard]] std::optional<std::size_t>
    find(std::initializer_list<std::string_view> names) const;

    /// As find(), but throws ScenarioError when there is none: names the first of `names`, lists
    /// the columns found and suggests the nearest.
    [[nodiscard]] std::size_t require(std::initializer_list<std::string_view> names) const;

    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  private:
    std::string file_;
    std::uint64_t line_{};
    std::vector<std::string> names_;
};

/// Feeds all rows that are left in `reader` to `trace`.
void add_rows(CsvReader& reader, const TraceColumns& columns, TraceBuilder& trace);

} // namespace bursar
