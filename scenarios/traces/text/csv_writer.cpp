#include "scenarios/traces/text/csv_writer.hpp"

#include <array>
#include <charconv>
#include <utility>

namespace bursar { inline namespace scenarios {

std::string format_seconds(std::int64_t milliseconds) {
    std::string out = std::to_string(milliseconds / 1000);
    const std::int64_t fraction = milliseconds % 1000;
    if (fraction == 0)
        return out;
    const std::string digits = std::to_string(1000 + fraction); // keeps leading zeros
    out += '.' + digits.substr(1, digits.find_last_not_of('0'));
    return out;
}

void CsvWriter::begin_field() {
    if (std::exchange(inside_row_, true))
        row_ += delimiter_;
}

CsvWriter& CsvWriter::text(std::string_view field) {
    begin_field();
    if (field.find_first_of("\"\r\n") == std::string_view::npos &&
        field.find(delimiter_) == std::string_view::npos) {
        row_ += field;
        return *this;
    }
    row_ += '"';
    for (const char c : field) {
        if (c == '"')
            row_ += '"';
        row_ += c;
    }
    row_ += '"';
    return *this;
}

CsvWriter& CsvWriter::number(std::int64_t value) {
    begin_field();
    std::array<char, 24> digits{};
    const char* const begin = digits.data();
    const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    row_.append(begin, end);
    return *this;
}

CsvWriter& CsvWriter::seconds(std::int64_t milliseconds) {
    if (milliseconds % 1000 == 0)
        return number(milliseconds / 1000);
    begin_field();
    row_ += format_seconds(milliseconds);
    return *this;
}

void CsvWriter::end_row() {
    row_ += '\n';
    inside_row_ = false;
    out_.write(row_.data(), static_cast<std::streamsize>(row_.size()));
    row_.clear();
}

}} // namespace bursar::scenarios
