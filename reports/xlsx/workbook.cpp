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
                                    NumberFormat{"USD", "#,##0.00"},
                                    NumberFormat{"GPU-hours", "#,##0.0"},
                                    NumberFormat{"USD per GPU-hour", "#,##0.000"},
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
    }
    ~Book() {
        if (book_ != nullptr)
            lxw_workbook_free(book_);
    }
    Book(const Book&) = delete;
    Book& operator=(const Book&) = delete;

    void add(const ReportTable& table) {
        lxw_worksheet* page = workbook_add_worksheet(book_, table.title.c_str());
        if (page == nullptr)
            fail("the name of a sheet");
        worksheet_freeze_panes(page, 1, 0);
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const auto column = static_cast<lxw_col_t>(i);
            check(worksheet_set_column(page, column, column, width_of(table, i), nullptr));
            put_text(page, 0, column, table.columns[i].label, header_);
            const std::size_t format = format_of(table, i);
            for (std::size_t k = 0; k < table.rows.size(); ++k) {
                const bool is_sum = table.rows[k].kind == RowKind::sum;
                put(page,
                    static_cast<lxw_row_t>(k + 1),
                    column,
                    table.rows[k].cells[i],
                    (is_sum ? sums_ : formats_)[format],
                    is_sum && k > 0);
            }
        }
    }

    void close() {
        lxw_workbook* book = book_;
        book_ = nullptr;
        check(workbook_close(book));
    }

  private:
    using Formats = std::array<lxw_format*, number_formats.size()>;

    static void put_text(lxw_worksheet* page,
                         lxw_row_t row,
                         lxw_col_t column,
                         const std::string& text,
                         lxw_format* format) {
        const std::string shown = cut_to_width(terminal_text(text), most_of_a_cell);
        check(worksheet_write_string(page, row, column, shown.c_str(), format));
    }

    /// is_sum: of the cells above it.
    static void put(lxw_worksheet* page,
                    lxw_row_t row,
                    lxw_col_t column,
                    const Cell& cell,
                    lxw_format* format,
                    bool is_sum) {
        if (const auto* text = std::get_if<std::string>(&cell)) {
            if (!text->empty() || is_sum)
                put_text(page, row, column, *text, format);
        } else if (const double number = std::get<double>(cell); !is_sum) {
            check(worksheet_write_number(page, row, column, number, format));
        } else {
            const std::string formula =
                fmt::format("=SUM({0}2:{0}{1})", static_cast<char>('A' + column), row);
            check(worksheet_write_formula_num(page, row, column, formula.c_str(), format, number));
        }
    }

    lxw_workbook* book_; ///< nullptr: closed
    Formats formats_{}, sums_{};
    lxw_format* header_{};
};

} // namespace

void write_workbook(const std::vector<ReportTable>& tables, TextSink& sink) {
    const Scratch scratch;
    Book book{scratch.file()};
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
