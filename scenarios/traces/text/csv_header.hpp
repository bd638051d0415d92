#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/traces/text/csv_reader.hpp"

namespace bursar { inline namespace scenarios {

/// The delimiters that are recognised.
inline constexpr std::string_view delimiters = ",;|\t";

/// "commas", "semicolons", ...; delimiter: one of `delimiters`.
std::string_view plural_of(char delimiter);

/// The fields of the first row. Throws ScenarioError if it cannot be read at all.
std::vector<std::string>
first_row(std::string_view beginning, const std::string& file, char delimiter);

/// The column names of a delimiter-separated file, by field.
class CsvHeader {
  public:
    /// Takes the next row of `reader` as the header. Throws ScenarioError when there is none or it
    /// is malformed.
    explicit CsvHeader(CsvReader& reader);

    /// The field of the first of `names` that the file has; absent if it has none of them. Empty
    /// names are skipped. Throws ScenarioError if the file has that column twice.
    [[nodiscard]] std::optional<std::size_t> find(std::span<const std::string_view> names) const;
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const {
        return find({&name, 1});
    }

    /// As find(), but throws ScenarioError if there is none, with the first of `names` and the
    /// columns found. hint: the suggestion; empty: the nearest column.
    [[nodiscard]] std::size_t require(std::span<const std::string_view> names,
                                      std::string_view hint = {}) const;
    [[nodiscard]] std::size_t require(std::string_view name) const { return require({&name, 1}); }

    /// The mistake about a missing column, with the columns found and the nearest one. whose: "of
    /// FILE" if the mistake is reported elsewhere.
    [[nodiscard]] Finding missing(std::string_view wanted, std::string_view whose) const;

    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  private:
    [[nodiscard]] std::string hint_for(std::string_view wanted) const;

    std::string file_;
    std::uint64_t line_{};
    char delimiter_{};
    std::vector<std::string> names_;
};

/// The number in field `field` of `row`, whose column is called `column`. Throws ScenarioError with
/// its place if the row is malformed or too short, or the field is no number.
double
number_in(const TextRow& row, std::size_t field, std::string_view column, const CsvReader& in);

}} // namespace bursar::scenarios
