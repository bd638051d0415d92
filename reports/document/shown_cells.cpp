#include "reports/document/shown_cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/human_number.hpp"
#include "reports/text/text_lines.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr double like_size = 1e4;      ///< numbers within this ratio share a unit
constexpr int max_places = 3;          ///< behind the point, in a column of one unit
constexpr int min_digits = 2;          ///< of its smallest number, which may take more places
constexpr int min_exponent = -4;       ///< smaller numbers are written with a power of ten
constexpr std::size_t max_header = 14; ///< columns of a header line, unless a word is longer

/// Sizes of the numbers of a column, zero and unknown ones aside.
struct Magnitudes {
    double min{std::numeric_limits<double>::infinity()};
    double max{};

    void add(double value) {
        if (!std::isfinite(value) || value == 0)
            return;
        min = std::min(min, std::abs(value));
        max = std::max(max, std::abs(value));
    }
    [[nodiscard]] bool alike() const { return max == 0 || max / min <= like_size; }
};

/// Cells that hold doubles, in one unit.
class CommonUnit {
  public:
    CommonUnit(const Magnitudes& sizes, std::string_view unit)
        : shown_{shown_unit(unit, sizes.max)} {
        const int exponent = sizes.max > 0 ? leading_exponent(sizes.min / shown_.factor) : 0;
        if (sizes.max > 0)
            places_ = std::max(std::clamp(3 - exponent, 0, max_places), min_digits - 1 - exponent);
        has_powers_ = sizes.max / shown_.factor >= 1e6 || exponent < min_exponent;
    }

    [[nodiscard]] std::string text(double value) const {
        return has_powers_ ? human_number(value / shown_.factor)
                           : human_number(value / shown_.factor, places_);
    }
    [[nodiscard]] std::string_view unit() const { return shown_.name; }

    /// Drops decimals that are zero in every cell.
    void shorten(const std::vector<double>& values) {
        const auto ends_in_zero = [&](double value) {
            return !std::isfinite(value) || text(value).ends_with('0');
        };
        while (!has_powers_ && places_ > 0 && std::ranges::all_of(values, ends_in_zero))
            --places_;
    }

  private:
    ShownUnit shown_;
    int places_{};
    bool has_powers_{}; ///< powers of ten instead of decimals
};

/// The doubles of a column, if its cells are doubles.
std::optional<std::vector<double>> doubles_of(const ReportTable& table, std::size_t index) {
    std::vector<double> values;
    for (const ReportRow& row : table.rows) {
        const double* value = std::get_if<double>(&row.cells[index]);
        if (value == nullptr)
            return std::nullopt;
        values.push_back(*value);
    }
    return values;
}

std::string joined(const CellText& cell) {
    return cell.unit.empty() ? cell.value : cell.value + ' ' + cell.unit;
}

/// The lines over a column, without blank ones above them.
std::vector<std::string> header_of(const ReportColumn& column) {
    if (column.narrow.empty())
        return wrapped(terminal_text(column.label), max_header);
    std::vector<std::string> lines;
    std::string_view rest = column.narrow;
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
        if (!lines.empty() || rest.find_first_not_of(' ') < end)
            lines.push_back(terminal_text(rest.substr(0, end)));
        rest.remove_prefix(end + 1);
    }
    lines.push_back(terminal_text(rest));
    return lines;
}

void measure(TextColumn& column) {
    for (const std::vector<std::string>* lines : {&column.header, &column.cells})
        for (const std::string& line : *lines)
            column.width = std::max(column.width, display_width(line));
}

} // namespace

CellText cell_text(const Cell& cell, std::string_view unit) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return {terminal_text(*text), {}};
    if (const auto* yes = std::get_if<bool>(&cell))
        return {*yes ? "yes" : "no", {}};
    const auto* count = std::get_if<std::int64_t>(&cell);
    const double value = count != nullptr ? static_cast<double>(*count) : std::get<double>(cell);
    if (!std::isfinite(value))
        return {"-", {}};
    const ShownUnit shown = shown_unit(unit, std::abs(value));
    const bool exact = count != nullptr && shown.factor == 1;
    return {exact ? human_count(*count) : human_number(value / shown.factor),
            terminal_text(shown.name)};
}

bool is_words(const ReportTable& table, std::size_t index) {
    const Align align = table.columns[index].align;
    if (align != Align::by_cells)
        return align == Align::left;
    return std::ranges::any_of(table.rows, [&](const ReportRow& row) {
        return std::holds_alternative<std::string>(row.cells[index]) ||
               std::holds_alternative<bool>(row.cells[index]);
    });
}

TextColumn text_column(const ReportTable& table, std::size_t index) {
    const ReportColumn& described = table.columns[index];
    TextColumn column;
    column.is_words = is_words(table, index);
    column.header = header_of(described);
    const std::optional<std::vector<double>> values = doubles_of(table, index);
    Magnitudes sizes;
    for (const double value : values.value_or(std::vector<double>{}))
        sizes.add(value);
    if (values && sizes.alike()) {
        CommonUnit common{sizes, described.unit};
        common.shorten(*values);
        for (const double value : *values)
            column.cells.push_back(common.text(value));
        if (!common.unit().empty())
            column.header.push_back(terminal_text(common.unit()));
    } else {
        for (const ReportRow& row : table.rows)
            column.cells.push_back(joined(cell_text(row.cells[index], described.unit)));
    }
    for (std::size_t row = 0; index == 0 && row < table.rows.size(); ++row)
        if (table.rows[row].kind == RowKind::under)
            column.cells[row].insert(0, 2, ' ');
    measure(column);
    return column;
}

}} // namespace bursar::reports
