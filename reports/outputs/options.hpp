#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "models/units/units.hpp"

namespace bursar { inline namespace reports {

/// What the rows of the bill are.
enum class GroupBy : std::uint8_t { group, leaf, pool, tenant, purchase, gpu, month };
inline constexpr std::array<std::string_view, 7> group_by_names{
    "group", "leaf", "pool", "tenant", "purchase", "gpu", "month"};

enum class SortBy : std::uint8_t { cost, gpu_hours, name };
inline constexpr std::array<std::string_view, 3> sort_by_names{"cost", "gpu_hours", "name"};

/// How idle time is charged to tenants: not at all, in equal parts, by what they used, by quota.
enum class ShareIdle : std::uint8_t { none, even, usage, quota };
inline constexpr std::array<std::string_view, 4> share_idle_names{"none", "even", "usage", "quota"};

/// Of the FinOps Open Cost and Usage Specification, which focus.csv follows.
enum class FocusVersion : std::uint8_t { v1_2, v1_3 };
inline constexpr std::array<std::string_view, 2> focus_version_names{"1.2", "1.3"};

enum class Colour : std::uint8_t { never, always };

/// How outputs are rendered. None of it changes a figure of a row that is shown.
struct OutputOptions {
    GroupBy group_by{GroupBy::group};      ///< table, markdown
    SortBy sort{SortBy::cost};             ///< order of the rows, where group_by is not `group`
    std::optional<std::size_t> top;        ///< that many rows, the rest as "other (n)"
    bool all{false};                       ///< every leaf, empty ones too
    bool brief{false};                     ///< markdown: what one reads first, and no more
    ShareIdle share_idle{ShareIdle::none}; ///< every row by tenant
    Colour colour{Colour::never};          ///< table
    std::size_t width{100};                ///< table: columns of the terminal
    bool reproducible{false};              ///< without what differs between equal runs
    bool static_charts{false};      ///< html: drawings alone, though the program has their script
    std::optional<Duration> bucket; ///< timeline.csv: averages over this; absent: every change
    FocusVersion focus_version{FocusVersion::v1_2};
    std::optional<std::size_t> trace_top; ///< perfetto: only this many jobs, the costliest
    std::optional<Duration> trace_from;   ///< perfetto: from then on; absent: from the first
    std::optional<Duration> trace_to;     ///< perfetto: until then; absent: to the end
};

}} // namespace bursar::reports
