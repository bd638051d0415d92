#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bursar { inline namespace scenarios {

struct Trace;

/// Which rows of a workload are alike but for their times, tenants, ends, names and priorities:
/// most traces have some dozen kinds of them.
class RowKinds {
  public:
    explicit RowKinds(const Trace& trace);

    /// By row; kinds count from 0 in the order of their first rows.
    [[nodiscard]] const std::vector<std::uint32_t>& of_rows() const { return of_rows_; }

    struct Kind {
        std::uint32_t first_row{};
        std::uint32_t num_rows{};
    };
    [[nodiscard]] const std::vector<Kind>& kinds() const { return kinds_; }

    /// Whether the rows are in the order of their submit times.
    [[nodiscard]] bool is_sorted() const { return is_sorted_; }
    /// The longest of all rows; 0 where there are none.
    [[nodiscard]] std::int64_t max_duration_ms() const { return max_duration_ms_; }

  private:
    std::vector<std::uint32_t> of_rows_;
    std::vector<Kind> kinds_;
    bool is_sorted_{};
    std::int64_t max_duration_ms_{};
};

}} // namespace bursar::scenarios
