#include "reports/xlsx/workbook.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <xlsxwriter.h>

#include "reports/document/shown_cells.hpp"
#include "reports/errors/report_error.hpp"
#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_of_a_cell = 1000;  ///< columns; spreadsheets refuse 32,768 characters
constexpr std::time_t any_time = 946'684'800; ///< when every workbook was made: 2000-01-01

/// How numbers of a unit are shown.
struct NumberFormat {
    std::string_view unit;
    const char* format;
};

constexpr std::array number_formats{NumberFormat{"", "General"},
                                    NumberFormat{"USD", "[$$-409]#,##0.00"},
                                    NumberFormat{"GPU-hours", "#,##0.0"},
                                    NumberFormat{"USD per GPU-hour", "[$$-409]#,##0.000"},
                                    NumberFormat{"%", "0.0%"}, // of a fraction
                                    NumberFormat{"text", "@"}};

std::size_t format_of(const ReportTable& table, std::size_t column) {
    if (is_words(table, column))
        return number_formats.size() - 1;
    const auto* found =
        std::ranges::find(number_formats, table.columns[column].unit, &NumberFormat::unit);
    return found == number_formats.end() ? 0
                                         : static_cast<std::size_t>(found - number_formats.begin());
}

/// In digits: as wide as its texts; numbers are shown in less than 14.
double width_of(const ReportTable& table, std::size_t column) {
    constexpr std::size_t least = 14;
    constexpr std::size_t most = 120;
    std::size_t width = std::max(least, display_width(table.columns[column].label) + 2);
    for (const ReportRow& row : table.rows)
        if (const auto* text = std::get_if<std::string>(&row.cells[column]))
            width = std::max(width, display_width(terminal_text(*text)) + 2);
    return static_cast<double>(std::min(width, most));
}

[[noreturn]] void fail(const std::string& why) {
    throw ReportError{"the workbook cannot be made: " + why};
}

/// A temporary folder: the library writes to a named file.
class Scratch {
  public:
    Scratch() {
        std::string name = (fs::temp_directory_path() / "bursar-xlsx-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            fail(std::generic_category().message(errno));
        folder_ = name;
    }
    ~Scratch() {
        std::error_code error;
        fs::remove_all(folder_, error);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    [[nodiscard]] std::string file() const { return (folder_ / "bill.xlsx").string(); }

  private:
    fs::path folder_;
};

void check(lxw_error error) {
    if (error != LXW_NO_ERROR)
        fail(lxw_strerror(error));
}

class Book {
  public:
    explicit Book(const std::string& file) : book_{workbook_new(file.c_str())} {
        if (book_ == nullptr)
            fail("no memory is left");
        lxw_doc_properties properties{};
        properties.created = any_time;
        check(workbook_set_properties(book_, &properties));
        for (std::size_t i = 0; i < number_formats.size(); ++i) {
            formats_[i] = workbook_add_format(book_);
            sums_[i] = workbook_add_format(book_);
            for (lxw_format* format : {formats_[i], sums_[i]})
                format_set_num_format(format, number_formats[i].format);
            format_set_bold(sums_[i]);
            format_set_top(sums_[i], LXW_BORDER_THIN);
        }
        header_ = workbook_add_format(book_);
        format_set_bold(header_);
        format_set_bottom(header_, LXW_BORDER_THIN);
        right_header_ = workbook_add_format(book_);
        format_set_bold(right_header_);
        format_set_bottom(right_header_, LXW_BORDER_THIN);
        format_set_align(right_header_, LXW_ALIGN_RIGHT);
        behind_number_ = workbook_add_format(book_);
        format_set_num_format(behind_number_, number_formats.back().format);
        format_set_indent(behind_number_, 1);
        behind_number_header_ = workbook_add_format(book_);
        format_set_bold(behind_number_header_);
        format_set_bottom(behind_number_header_, LXW_BORDER_THIN);
        format_set_indent(behind_number_header_, 1);
        title_ = workbook_add_format(book_);
        format_set_bold(title_);
        format_set_font_size(title_, 14);
        total_ = workbook_add_format(book_);
        format_set_bold(total_);
        format_set_font_size(total_, 22);
        format_set_num_format(total_, number_formats[1].format);
        format_set_align(total_, LXW_ALIGN_LEFT);
    }
    ~Book() {
        if (book_ != nullptr)
            lxw_workbook_free(book_);
    }
    Book(const Book&) = delete;
    Book& operator=(const Book&) = delete;

    void add(const ReportTable& table) {
        lxw_worksheet* page = add_page(table.title.c_str());
        worksheet_freeze_panes(page, 1, 0);
        check(worksheet_repeat_rows(page, 0, 0));
        worksheet_fit_to_pages(page, 1, 0);
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const auto column = static_cast<lxw_col_t>(i);
            check(worksheet_set_column(page, column, column, width_of(table, i), nullptr));
        }
        put_table(page, 0, table);
    }

    void add(const SummarySheet& summary) {
        lxw_worksheet* page = add_page("Summary");
        worksheet_fit_to_pages(page, 1, 1);
        worksheet_gridlines(page, LXW_HIDE_ALL_GRIDLINES);
        check(worksheet_set_row(page, 0, 20, nullptr));
        check(worksheet_set_row(page, 1, 30, nullptr));
        put_text(page, 0, 0, summary.title, title_);
        check(worksheet_write_number(page, 1, 0, summary.total, total_));
        lxw_row_t row = 2;
        for (const std::string& line : summary.lines)
            put_text(page, row++, 0, line, formats_.back());
        double width = 14;
        for (const ReportTable& table : summary.tables) {
            width = std::max(width, std::min(width_of(table, 0), most_of_a_name));
            const lxw_row_t header_row = ++row + 1;
            put_text(page, row, 0, table.title, title_);
            put_table(page, header_row, table);
            if (table.rows.size() > 2)
                put_chart(page, row, header_row + 1, table);
            row = header_row +
                  static_cast<lxw_row_t>(
                      std::max(table.rows.size(), table.rows.size() > 2 ? least_rows : 0)) +
                  1;
        }
        check(worksheet_set_column(page, 0, 0, width, nullptr));
        check(worksheet_set_column(page, 1, chart_column - 2, 15, nullptr));
        check(worksheet_set_column(page, chart_column - 1, chart_column - 1, 3, nullptr));
        check(worksheet_set_column(page, chart_column, last_column, 12, nullptr));
        check(worksheet_print_area(page, 0, 0, row, last_column));
    }

    void close() {
        lxw_workbook* book = book_;
        book_ = nullptr;
        check(workbook_close(book));
    }

  private:
    using Formats = std::array<lxw_format*, number_formats.size()>;

    // Of the summary: charts stand beside the tables, which have at most four columns.
    static constexpr lxw_col_t chart_column = 5;
    static constexpr lxw_col_t last_column = 10;
    static constexpr std::size_t least_rows = 7; ///< beside a chart
    static constexpr double most_of_a_name = 44;

    lxw_worksheet* add_page(const char* name) {
        lxw_worksheet* page = workbook_add_worksheet(book_, name);
        if (page == nullptr)
            fail("the name of a sheet");
        worksheet_set_landscape(page);
        worksheet_set_paper(page, 9); // A4
        worksheet_set_margins(page, 0.5, 0.5, 0.5, 0.7);
        check(worksheet_set_footer(page, "&L&A&RPage &P of &N"));
        return page;
    }

    void put_table(lxw_worksheet* page, lxw_row_t header_row, const ReportTable& table) {
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const auto column = static_cast<lxw_col_t>(i);
            const bool is_number = !is_words(table, i);
            const bool is_behind_number = !is_number && i > 0 && !is_words(table, i - 1);
            put_text(page,
                     header_row,
                     column,
                     table.columns[i].label,
                     is_number          ? right_header_
                     : is_behind_number ? behind_number_header_
                                        : header_);
            const std::size_t format = format_of(table, i);
            for (std::size_t k = 0; k < table.rows.size(); ++k) {
                const bool is_sum = table.rows[k].kind == RowKind::sum;
                put(page,
                    header_row + static_cast<lxw_row_t>(k + 1),
                    column,
                    table.rows[k].cells[i],
                    is_sum             ? sums_[format]
                    : is_behind_number ? behind_number_
                                       : formats_[format],
                    is_sum && k > 0 ? header_row + 2 : 0);
            }
        }
    }

    /// Draws a bar chart to the right of a table: a bar for each row except the sum. first: its
    /// first row.
    void put_chart(lxw_worksheet* page, lxw_row_t at, lxw_row_t first, const ReportTable& table) {
        lxw_chart* chart = workbook_add_chart(book_, LXW_CHART_BAR);
        if (chart == nullptr)
            fail("no memory is left");
        const bool has_sum = table.rows.back().kind == RowKind::sum;
        const auto last = first + static_cast<lxw_row_t>(table.rows.size() - (has_sum ? 2 : 1));
        lxw_chart_series* series = chart_add_series(chart, nullptr, nullptr);
        chart_series_set_categories(series, "Summary", first, 0, last, 0);
        chart_series_set_values(series, "Summary", first, 1, last, 1);
        lxw_chart_fill fill{};
        fill.color = 0x2F6DB5;
        chart_series_set_fill(series, &fill);
        chart_legend_set_position(chart, LXW_CHART_LEGEND_NONE);
        chart_series_set_labels(series);
        chart_series_set_labels_num_format(series, "#,##0");
        chart_set_series_gap(chart, 40);
        chart_title_off(chart); // the table has one
        lxw_chart_font small{};
        small.size = 8; // so that every row keeps its name
        chart_axis_set_num_font(chart->y_axis, &small);
        chart_axis_set_reverse(chart->y_axis); // the first row on top
        chart_axis_set_interval_unit(chart->y_axis, 1);
        chart_axis_off(chart->x_axis); // each bar has its figure
        chart_axis_major_gridlines_set_visible(chart->x_axis, LXW_FALSE);
        const auto rows = static_cast<double>(std::max(table.rows.size(), least_rows) + 2);
        lxw_chart_options options{};
        options.x_scale = 1.1;
        options.y_scale = rows * 20 / 288; // of its usual height, in rows of 20 pixels
        check(worksheet_insert_chart_opt(page, at, chart_column, chart, &options));
    }

    static void put_text(lxw_worksheet* page,
                         lxw_row_t row,
                         lxw_col_t column,
                         const std::string& text,
                         lxw_format* format) {
        const std::string shown = cut_to_width(terminal_text(text), most_of_a_cell);
        check(worksheet_write_string(page, row, column, shown.c_str(), format));
    }

    /// sum_from: the first row, from 1, of those whose sum it is; 0: it is none.
    static void put(lxw_worksheet* page,
                    lxw_row_t row,
                    lxw_col_t column,
                    const Cell& cell,
                    lxw_format* format,
                    lxw_row_t sum_from) {
        if (const auto* text = std::get_if<std::string>(&cell)) {
            if (!text->empty() || sum_from > 0)
                put_text(page, row, column, *text, format);
        } else if (const double number = std::get<double>(cell); sum_from == 0) {
            check(worksheet_write_number(page, row, column, number, format));
        } else {
            const std::string formula =
                fmt::format("=SUM({0}{1}:{0}{2})", static_cast<char>('A' + column), sum_from, row);
            check(worksheet_write_formula_num(page, row, column, formula.c_str(), format, number));
        }
    }

    lxw_workbook* book_; ///< nullptr: closed
    Formats formats_{}, sums_{};
    lxw_format *header_{}, *right_header_{}, *title_{}, *total_{};
    lxw_format *behind_number_{}, *behind_number_header_{}; ///< of texts, with a gap before them
};

} // namespace

void write_workbook(const SummarySheet& summary,
                    const std::vector<ReportTable>& tables,
                    TextSink& sink) {
    const Scratch scratch;
    Book book{scratch.file()};
    book.add(summary);
    for (const ReportTable& table : tables)
        book.add(table);
    book.close();
    std::ifstream file{scratch.file(), std::ios::binary};
    std::array<char, 1U << 15U> part{};
    while (file.read(part.data(), part.size()) || file.gcount() > 0)
        sink.put(std::string_view{part.data(), static_cast<std::size_t>(file.gcount())});
    if (!file.eof())
        fail("it cannot be read again");
}

}} // namespace bursar::reports
