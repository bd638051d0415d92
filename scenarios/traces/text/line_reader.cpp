#include "scenarios/traces/text/line_reader.hpp"

#include <cstring>
#include <utility>

#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {

std::string_view first_line_of(std::string_view text) {
    std::string_view line = text.substr(0, text.find('\n'));
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

LineReader::LineReader(ByteSource& bytes, std::string file)
    : file_{std::move(file)}, text_{bytes} {}

std::optional<std::string_view> LineReader::next() {
    while (true) {
        const char* const begin = text_.begin();
        const auto held = static_cast<std::size_t>(text_.end() - begin);
        if (const auto* feed = static_cast<const char*>(std::memchr(begin, '\n', held))) {
            text_.advance(feed + 1);
            ++line_;
            std::string_view line{begin, static_cast<std::size_t>(feed - begin)};
            if (line.ends_with('\r'))
                line.remove_suffix(1);
            if (const std::size_t nul = line.find('\0'); nul != std::string_view::npos)
                fail_input(
                    {file_, line_, nul + 1}, {}, mistake("NUL byte", "this is not UTF-8 text"));
            return line;
        }
        const RowBuffer::Refill refilled = text_.refill();
        if (refilled == RowBuffer::Refill::ended)
            return std::nullopt;
        if (refilled == RowBuffer::Refill::too_long)
            fail_input({file_, line_ + 1, 0}, {}, mistake("line longer than 1 MiB"));
    }
}

}} // namespace bursar::scenarios
