#include "scenarios/traces/csv_columns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar {

std::string separator_hint(std::string_view header_line) {
    const bool other = header_line.find_first_of(";\t") != std::string_view::npos;
    return other && header_line.find(',') == std::string_view::npos
               ? "columns must be separated by commas"
               : "";
}

CsvHeader::CsvHeader(CsvReader& reader) : file_{reader.file()} {
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

std::optional<std::size_t> CsvHeader::find(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
        const auto found = std::ranges::find(names_, name);
        if (found == names_.end())
            continue;
        if (std::find(found + 1, names_.end(), name) != names_.end())
            fail_input({file_, line_, 0}, std::string{name}, mistake("two columns have this name"));
        return static_cast<std::size_t>(found - names_.begin());
    }
    return std::nullopt;
}

std::size_t CsvHeader::require(std::initializer_list<std::string_view> names) const {
    if (const std::optional<std::size_t> found = find(names))
        return *found;
    const std::string_view wanted = *names.begin();
    std::string why = fmt::format("columns found: {}", fmt::join(names_, ", "));
    if (why.size() > 400)
        why = why.substr(0, 400) + "...";
    const std::vector<std::string> near = nearest_names(wanted, names_);
    std::string hint = names_.size() == 1 ? separator_hint(names_.front()) : "";
    if (hint.empty() && !near.empty())
        hint = suggestion(wanted, names_);
    fail_input({file_, line_, 0},
               std::string{wanted},
               mistake("no such column", std::move(why), std::move(hint)));
}

void add_rows(CsvReader& reader, const TraceColumns& columns, TraceBuilder& trace) {
    while (const TextRow* row = reader.next())
        trace.add(*row, columns);
}

} // namespace bursar
