#include "scenarios/traces/row_needs.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace bursar { inline namespace scenarios {

void RowNeeds::add_row(std::span<const std::uint32_t> rows) {
    if (begin.empty())
        begin.push_back(0);
    needed.insert(needed.end(), rows.begin(), rows.end());
    begin.push_back(static_cast<std::uint32_t>(needed.size()));
}

std::uint64_t RowNeeds::keep_rows(const std::vector<std::uint8_t>& keep) {
    if (empty())
        return 0;
    std::vector<std::uint32_t> number(keep.size()); // of a kept row, among those
    std::uint32_t num = 0;
    for (std::size_t row = 0; row < keep.size(); ++row)
        number[row] = keep[row] == 0 ? 0 : num++;
    std::uint64_t dropped = 0;
    RowNeeds kept;
    std::vector<std::uint32_t> rows;
    for (std::size_t row = 0; row < keep.size(); ++row) {
        if (keep[row] == 0)
            continue;
        rows.clear();
        for (const std::uint32_t other : of(row))
            if (keep[other] != 0)
                rows.push_back(number[other]);
        dropped += of(row).size() - rows.size();
        kept.add_row(rows);
    }
    *this = std::move(kept);
    return dropped;
}

std::vector<std::uint32_t> circle_in(const RowNeeds& needs) {
    if (needs.empty())
        return {};
    const std::size_t num_rows = needs.begin.size() - 1;
    // Rows that nothing open waits for are closed one after the other; a circle stays open.
    std::vector<std::uint32_t> num_waiting(num_rows, 0);
    for (const std::uint32_t other : needs.needed)
        ++num_waiting[other];
    std::vector<std::uint32_t> closed;
    for (std::uint32_t row = 0; row < num_rows; ++row)
        if (num_waiting[row] == 0)
            closed.push_back(row);
    for (std::size_t i = 0; i < closed.size(); ++i)
        for (const std::uint32_t other : needs.of(closed[i]))
            if (--num_waiting[other] == 0)
                closed.push_back(other);
    if (closed.size() == num_rows)
        return {};
    // Each open row is needed by an open one: backwards from any of them leads into a circle.
    std::vector<std::optional<std::uint32_t>> needed_by(num_rows);
    for (std::uint32_t row = 0; row < num_rows; ++row)
        if (num_waiting[row] > 0)
            for (const std::uint32_t other : needs.of(row))
                needed_by[other] = row;
    std::uint32_t at = 0;
    while (num_waiting[at] == 0)
        ++at;
    std::vector<std::uint8_t> seen(num_rows);
    for (; seen[at] == 0; at = *needed_by[at])
        seen[at] = 1;
    std::vector<std::uint32_t> circle{at};
    for (std::uint32_t row = *needed_by[at]; row != at; row = *needed_by[row])
        circle.push_back(row);
    std::ranges::reverse(circle); // needed_by leads from the needed row to the one that waits
    std::ranges::rotate(circle, std::ranges::min_element(circle));
    return circle;
}

}} // namespace bursar::scenarios
