#include "scenarios/traces/text/csv_header.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/ranges.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar { inline namespace scenarios {

std::string_view plural_of(char delimiter) {
    switch (delimiter) {
    case ';':
        return "semicolons";
    case '|':
        return "bars";
    case '\t':
        return "tabs";
    default:
        return "commas";
    }
}

std::vector<std::string>
first_row(std::string_view beginning, const std::string& file, char delimiter) {
    MemorySource bytes{beginning};
    CsvReader reader{bytes, file, delimiter};
    const TextRow* row = reader.next();
    if (row == nullptr)
        return {};
    return {row->fields.begin(), row->fields.end()};
}

CsvHeader::CsvHeader(CsvReader& reader) : file_{reader.file()}, delimiter_{reader.delimiter()} {
    const TextRow* row = reader.next();
    if (row == nullptr)
        fail_input(file_, mistake("the file is empty", "a header line is needed"));
    line_ = row->line;
    if (!row->problem.empty())
        fail_input({file_, row->problem_place.line, row->problem_place.column},
                   {},
                   mistake(std::string{row->problem}));
    names_.assign(row->fields.begin(), row->fields.end());
}

std::optional<std::size_t> CsvHeader::find(std::span<const std::string_view> names) const {
    for (const std::string_view name : names) {
        const auto found = std::ranges::find(names_, name);
        if (name.empty() || found == names_.end())
            continue;
        if (std::find(found + 1, names_.end(), name) != names_.end())
            fail_input({file_, line_, 0}, std::string{name}, mistake("two columns have this name"));
        return static_cast<std::size_t>(found - names_.begin());
    }
    return std::nullopt;
}

std::string CsvHeader::hint_for(std::string_view wanted) const {
    if (names_.size() == 1 && names_.front().find_first_of(delimiters) != std::string::npos)
        return fmt::format("columns must be separated by {}", plural_of(delimiter_));
    return nearest_names(wanted, names_).empty() ? "" : suggestion(wanted, names_);
}

std::size_t CsvHeader::require(std::span<const std::string_view> names,
                               std::string_view hint) const {
    if (const std::optional<std::size_t> found = find(names))
        return *found;
    Finding finding = missing(names.front(), {});
    if (!hint.empty())
        finding.suggestion = hint;
    fail_input({file_, line_, 0}, std::string{names.front()}, std::move(finding));
}

Finding CsvHeader::missing(std::string_view wanted, std::string_view whose) const {
    return mistake(
        whose.empty() ? "no such column" : in_quotes(wanted) + " is no column",
        fmt::format("columns{}{}: {}", whose.empty() ? " found" : " ", whose, listed_names(names_)),
        hint_for(wanted));
}

double
number_in(const TextRow& row, std::size_t field, std::string_view column, const CsvReader& in) {
    const auto fail = [&](FieldPlace at, std::string problem, std::string why = {}) {
        fail_input({in.file(), at.line, at.column},
                   std::string{column},
                   mistake(std::move(problem), std::move(why)));
    };
    if (!row.problem.empty())
        fail(row.problem_place, std::string{row.problem});
    if (field >= row.fields.size())
        fail(row.place(row.fields.size()), "missing", "the row ends before it");
    const std::string_view text = row.fields[field];
    double number{};
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stopped != end)
        fail(row.place(field), in_quotes(text) + " is not a number");
    return number;
}

}} // namespace bursar::scenarios
