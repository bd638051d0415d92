#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bursar { inline namespace scenarios {

/// The rows of a workload that other rows wait for, row by row.
struct RowNeeds {
    /// More would take gigabytes: an array that waits for each job of another one has their
    /// product.
    static constexpr std::uint64_t max_needed = 50'000'000;

    std::vector<std::uint32_t> begin;  ///< row -> its first entry of `needed`, and one more at the
                                       ///< end; empty: no row waits
    std::vector<std::uint32_t> needed; ///< rows that must end before the row is eligible

    [[nodiscard]] bool empty() const { return begin.empty(); }
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t row) const {
        return std::span{needed}.subspan(begin[row], begin[row + 1] - begin[row]);
    }
    /// Appends a row that needs these.
    void add_row(std::span<const std::uint32_t> rows);
    /// Drops the rows whose `keep` is 0; what they were needed for is forgotten. Returns how many
    /// entries of rows that are kept were dropped.
    std::uint64_t keep_rows(const std::vector<std::uint8_t>& keep);

    bool operator==(const RowNeeds&) const = default;
};

/// Rows that wait for each other in a circle, each for the next one and the last for the first;
/// empty: there are none. Cost: rows and entries.
[[nodiscard]] std::vector<std::uint32_t> circle_in(const RowNeeds& needs);

}} // namespace bursar::scenarios
