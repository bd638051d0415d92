#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/text/row_buffer.hpp"
#include "scenarios/traces/text/text_row.hpp"

namespace bursar { inline namespace scenarios {

/// Reads RFC 4180 text row by row, one window of the file at a time, with a comma or another
/// delimiter between fields. Understands quoted fields, doubled quotes, line feeds inside quotes,
/// CRLF or LF, a UTF-8 byte order mark, and a last line without line end. Empty lines are skipped.
/// Blanks belong to their field.
///
/// A quote inside an unquoted field or text after a closing quote makes a row malformed
/// (TextRow::problem). Throws ScenarioError with its place where the rest of the file is
/// unreadable: a NUL byte, a row longer than 1 MiB, a quote that is never closed.
class CsvReader {
  public:
    /// file: for messages only. delimiter: one byte, no quote or line end. `bytes` must outlive the
    /// reader.
    CsvReader(ByteSource& bytes, std::string file, char delimiter = ',');

    /// The next row, header or not; nullptr after the last. Valid until the next call.
    const TextRow* next();

    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] char delimiter() const { return delimiter_; }

  private:
    enum class Scan { row, unfinished };
    Scan scan();
    Scan scan_quoted();
    const char* scan_quoted_field(const char* at);
    const char* scan_plain_field(const char* at);
    void finish_row(std::size_t num_fields, const char* next);
    void add_field(std::size_t index, const char* begin, const char* end);
    void note_problem(std::string_view problem, const char* at);
    [[nodiscard]] const char* end_of_field(const char* at) const;
    [[nodiscard]] FieldPlace place_of(const char* at) const;
    [[noreturn]] void fail(FieldPlace place, std::string_view problem, std::string why) const;
    [[noreturn]] void fail_too_long() const;
    [[noreturn]] void fail_unterminated() const;

    std::string file_;
    char delimiter_;
    RowBuffer text_;
    TextRow row_;
    std::uint64_t next_line_{1};
    std::vector<std::string_view> fields_;
    std::vector<FieldPlace> places_;
    std::string unescaped_;    // fields with doubled quotes, with one quote each
    const char* open_quote_{}; // an open quote at the end of the text
};

}} // namespace bursar::scenarios
