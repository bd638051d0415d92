#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/traces/row_needs.hpp"
#include "scenarios/traces/text/text_row.hpp"

namespace bursar { inline namespace scenarios {

struct Trace;

/// What the rows of a trace wait for, as the file names it, until all rows are read.
class NamedNeeds {
  public:
    /// names: of jobs, with bars between; empty: none.
    void add(std::size_t row, std::string_view names, FieldPlace place);
    /// A row that is not in the trace has this name: rows need not wait for it.
    void add_absent(std::string_view name) { absent_.emplace(name); }

    /// The place of the names on a line; its column is 0 if the row begins before it.
    [[nodiscard]] FieldPlace place_on(std::uint64_t line) const;

    /// Looks up all names in the trace. A name means every row that has it. bad(row, place,
    /// finding) receives rows with a name that no row has, or their own. num_absent: raised by the
    /// names of absent rows.
    [[nodiscard]] RowNeeds
    resolve(const Trace& trace,
            const std::function<void(std::size_t row, FieldPlace place, Finding problem)>& bad,
            std::uint64_t& num_absent) const;

  private:
    struct Entry {
        std::size_t row{};
        std::string names;
        FieldPlace place{};
    };
    std::vector<Entry> entries_; ///< by row
    std::unordered_set<std::string> absent_;
};

}} // namespace bursar::scenarios
