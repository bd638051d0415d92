#include "scenarios/traces/text/csv_reader.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/traces/text/special_bytes.hpp"

namespace bursar { inline namespace scenarios {
namespace {

const char* find(const char* begin, const char* end, char wanted) {
    return static_cast<const char*>(
        std::memchr(begin, wanted, static_cast<std::size_t>(end - begin)));
}

} // namespace

CsvReader::CsvReader(ByteSource& bytes, std::string file, char delimiter)
    : file_{std::move(file)}, delimiter_{delimiter}, text_{bytes}, fields_(64) {}

const TextRow* CsvReader::next() {
    while (true) {
        if (scan() == Scan::row) {
            if (fields_[0].empty() && row_.fields.size() == 1 && row_.places.empty())
                continue; // an empty line
            return &row_;
        }
        switch (text_.refill()) {
        case RowBuffer::Refill::grown:
        case RowBuffer::Refill::last_line:
            break;
        case RowBuffer::Refill::too_long:
            fail_too_long();
        case RowBuffer::Refill::ended:
            if (open_quote_ != nullptr)
                fail_unterminated();
            return nullptr;
        }
    }
}

/// The fast path: one 64-bit mask of structural bytes per block, one step per field. A row with a
/// quote or a NUL byte goes to scan_quoted().
CsvReader::Scan CsvReader::scan() {
    const char* const end = text_.end();
    const char* field = text_.begin();
    const char delimiter = delimiter_;
    std::size_t n = 0;
    open_quote_ = nullptr;
    for (const char* block = field; block < end; block += special_block) {
        std::uint64_t special = special_bytes(block, delimiter);
        if (end - block < special_block)
            special &= (std::uint64_t{1} << (end - block)) - 1;
        for (; special != 0; special &= special - 1) {
            const char* const at = block + std::countr_zero(special);
            if (*at == delimiter) [[likely]] {
                add_field(n++, field, at);
                field = at + 1;
            } else if (*at == '\n') {
                add_field(n++, field, at - static_cast<int>(at > field && at[-1] == '\r'));
                row_.places = {};
                row_.problem = {};
                finish_row(n, at + 1);
                ++next_line_;
                return Scan::row;
            } else {
                return scan_quoted();
            }
        }
    }
    return Scan::unfinished;
}

void CsvReader::add_field(std::size_t index, const char* begin, const char* end) {
    if (index == fields_.size()) [[unlikely]]
        fields_.resize(2 * index);
    fields_[index] = {begin, static_cast<std::size_t>(end - begin)};
}

void CsvReader::finish_row(std::size_t num_fields, const char* next) {
    row_.fields = {fields_.data(), num_fields};
    row_.line = next_line_;
    row_.begin = text_.begin();
    text_.advance(next);
}

/// Reads a row field by field. Leaves the window unchanged, so an unfinished row can be read again
/// with more text.
CsvReader::Scan CsvReader::scan_quoted() {
    const char* const begin = text_.begin();
    const char* const end = text_.end();
    places_.clear();
    unescaped_.clear();
    unescaped_.reserve(static_cast<std::size_t>(end - begin)); // views into it must stay valid
    row_.problem = {};
    const char* at = begin;
    const char* line_begin = begin;
    std::uint64_t line = next_line_;
    while (true) {
        places_.push_back({line, static_cast<std::uint64_t>(at - line_begin) + 1});
        const char* const field = at;
        at = at < end && *at == '"' ? scan_quoted_field(at) : scan_plain_field(at);
        if (at == nullptr)
            return Scan::unfinished;
        for (const char* feed = field; (feed = find(feed, at, '\n')) != nullptr; ++line)
            line_begin = ++feed;
        if (*at == '\n')
            break;
        ++at;
    }
    if (const char* nul = find(begin, at, '\0'))
        fail(place_of(nul), "NUL byte", "this is not UTF-8 text");
    row_.places = places_;
    finish_row(places_.size(), at + 1);
    next_line_ = line + 1;
    return Scan::row;
}

/// The first delimiter or line feed from `at`; the end of the window where there is none.
const char* CsvReader::end_of_field(const char* at) const {
    return std::find_if(at, text_.end(), [this](char c) { return c == delimiter_ || c == '\n'; });
}

/// Takes the field from `at` and returns the delimiter or line feed after it; nullptr where the
/// window ends first.
const char* CsvReader::scan_plain_field(const char* at) {
    const char* const stop = end_of_field(at);
    if (stop == text_.end())
        return nullptr;
    if (const char* quote = find(at, stop, '"'))
        note_problem("quote inside an unquoted field", quote);
    const bool crlf = *stop == '\n' && stop > at && stop[-1] == '\r';
    add_field(places_.size() - 1, at, stop - static_cast<int>(crlf));
    return stop;
}

/// As scan_plain_field(), for a field whose first byte is a quote.
const char* CsvReader::scan_quoted_field(const char* at) {
    const char* const end = text_.end();
    const char* piece = at + 1;
    const std::size_t unescaped_from = unescaped_.size();
    const char* quote = nullptr;
    while (true) {
        quote = find(piece, end, '"');
        if (quote == nullptr || quote + 1 == end) {
            open_quote_ = quote == nullptr ? at : nullptr;
            return nullptr;
        }
        if (quote[1] != '"')
            break;
        unescaped_.append(piece, quote + 1); // one of the two quotes
        piece = quote + 2;
    }
    const std::size_t index = places_.size() - 1;
    if (unescaped_.size() == unescaped_from) {
        add_field(index, at + 1, quote);
    } else {
        unescaped_.append(piece, quote);
        add_field(index, unescaped_.data() + unescaped_from, unescaped_.data() + unescaped_.size());
    }
    const char* const after = quote + 1;
    const char* const stop = end_of_field(after);
    if (stop == end)
        return nullptr;
    const bool clean = stop == after || (stop == after + 1 && *after == '\r' && *stop == '\n');
    if (!clean)
        note_problem("text after a closing quote", after);
    return stop;
}

void CsvReader::note_problem(std::string_view problem, const char* at) {
    if (!row_.problem.empty())
        return;
    row_.problem = problem;
    row_.problem_place = place_of(at);
}

FieldPlace CsvReader::place_of(const char* at) const {
    const char* const begin = text_.begin();
    const auto feeds = static_cast<std::uint64_t>(std::count(begin, at, '\n'));
    const char* line = at;
    while (line > begin && line[-1] != '\n')
        --line;
    return {next_line_ + feeds, static_cast<std::uint64_t>(at - line) + 1};
}

void CsvReader::fail(FieldPlace place, std::string_view problem, std::string why) const {
    fail_input(
        {file_, place.line, place.column}, {}, mistake(std::string{problem}, std::move(why)));
}

void CsvReader::fail_too_long() const {
    if (open_quote_ != nullptr)
        fail(place_of(open_quote_), "line longer than 1 MiB", "this quote is not closed");
    fail({next_line_, 0}, "line longer than 1 MiB", {});
}

void CsvReader::fail_unterminated() const {
    fail(place_of(open_quote_), "unterminated quote", "the file ends inside it");
}

}} // namespace bursar::scenarios
