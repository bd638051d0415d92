#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/int128.hpp"

#include "reports/focus/focus_columns.hpp"
#include "reports/options.hpp"
#include "reports/text/instant.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// What rows of one kind differ in.
enum class FocusFigure : std::uint8_t {
    from,      ///< of the charge period
    to,        ///< its end, not in it
    month,     ///< of the billing period: the calendar month in UTC in which the charge ends, as
               ///< what is used is billed when it is over
    month_end, ///< the next one's begin
    quantity,
    price,
    cost
};

/// The figures of one row.
struct FocusFigures {
    std::int64_t from_ms{}, to_ms{}; ///< since 1970-01-01T00:00Z, whole seconds
    int128 quantity{};               ///< millionths
    int128 price{};                  ///< of one, in nano-dollars
    int128 cost{};                   ///< 10^-15 dollars
};

/// The product of a quantity and a price, exactly.
constexpr int128 focus_cost(int128 quantity, int128 price) {
    return quantity * price;
}
inline constexpr int128 focus_cost_per_micro_usd = 1'000'000'000;

/// Rows of one kind: what stands in each column, a text or one of their figures. A column of which
/// nothing is said is empty, which is null.
class FocusLine {
  public:
    /// text: UTF-8, of any content; "": null.
    FocusLine& text(FocusColumn column, std::string_view text);
    FocusLine& figure(FocusColumn column, FocusFigure figure);

  private:
    friend class FocusTemplate;
    struct Field {
        std::string text; ///< as it stands in the file
        std::optional<FocusFigure> figure;
    };
    std::array<Field, focus_columns.size()> fields_;
};

/// A line as one version of FOCUS has it: its text, and where in it figures go.
class FocusTemplate {
  public:
    FocusTemplate(const FocusLine& line, FocusVersion version);

  private:
    friend class FocusWriter;
    struct Gap {
        std::size_t at{}; ///< in the text
        FocusFigure figure{};
    };
    std::string text_;
    std::vector<Gap> gaps_;
};

/// Whether a version has a column.
constexpr bool has_column(FocusVersion version, std::size_t column) {
    return version != FocusVersion::v1_2 || column < first_of_1_3 || column >= end_of_1_3;
}

/// Writes rows.
class FocusWriter {
  public:
    explicit FocusWriter(TextSink& sink) : sink_{sink} {}

    void put_header(FocusVersion version);
    void put(const FocusTemplate& row, const FocusFigures& figures);

  private:
    void put(FocusFigure figure, const FocusFigures& figures);
    void put_month(std::int64_t utc_ms, std::chrono::months later);

    TextSink& sink_;
    InstantWriter instants_{0}, months_{0}; ///< each knows the day that it wrote last
};

}} // namespace bursar::reports
