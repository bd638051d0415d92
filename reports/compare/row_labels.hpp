#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "reports/text/display_width.hpp"

namespace bursar { inline namespace reports {

/// What stands before the rows of a table of variants, so that no two rows are taken for each
/// other: the variants' labels; where those are too wide or alike, numbers, with what of the labels
/// fits beside them.
struct RowLabels {
    std::vector<std::string> rows;    ///< one per variant
    std::vector<std::string> numbers; ///< "1", "2", ...; empty: the rows have the labels in full
};

/// How many bytes all labels begin with, up to a blank: "queue: " of "queue: sjf", "queue: srtf".
inline std::size_t common_beginning(const std::vector<std::string>& labels) {
    std::size_t same = labels.front().size();
    for (const std::string& label : labels) {
        const auto differs = std::ranges::mismatch(labels.front(), label).in1;
        same = std::min(same, static_cast<std::size_t>(differs - labels.front().begin()));
    }
    const std::size_t blank = labels.front().substr(0, same).find_last_of(' ');
    return blank == std::string::npos ? 0 : blank + 1;
}

/// labels: of the variants, at least one, as a terminal shows them. width: columns, at least 8.
[[nodiscard]] inline RowLabels row_labels(const std::vector<std::string>& labels,
                                          std::size_t width) {
    std::vector<std::string> sorted = labels;
    std::ranges::sort(sorted);
    const bool all_differ = std::ranges::adjacent_find(sorted) == sorted.end();
    if (all_differ && std::ranges::all_of(labels, [&](const std::string& label) {
            return display_width(label) <= width;
        }))
        return {labels, {}};
    RowLabels out;
    const std::size_t digits = std::to_string(labels.size()).size();
    const std::size_t from = common_beginning(labels);
    for (const std::string& label : labels) {
        out.numbers.push_back(fmt::format("{:>{}}", out.numbers.size() + 1, digits));
        out.rows.push_back(
            cut_to_width(fmt::format("{}  {}", out.numbers.back(), label.substr(from)), width));
    }
    return out;
}

}} // namespace bursar::reports
