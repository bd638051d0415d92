#include "reports/text/wrap.hpp"

#include <algorithm>
#include <cassert>

#include "reports/text/display_width.hpp"

namespace bursar { inline namespace reports {
namespace {

bool continues_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Bytes of the longest beginning of `word` that fits into `width` columns; a character at least.
std::size_t fitting_bytes(std::string_view word, std::size_t width) {
    std::size_t end = 0;
    std::size_t used = 0;
    while (end < word.size()) {
        std::size_t next = end + 1;
        while (next < word.size() && continues_character(word[next]))
            ++next;
        used += display_width(word.substr(end, next - end));
        if (used > width && end > 0)
            return end;
        end = next;
    }
    return end;
}

} // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    assert(width >= 2);
    std::vector<std::string> lines(1);
    std::size_t used = 0;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        if (text.empty())
            return lines;
        std::string_view word = text.substr(0, text.find(' '));
        if (used > 0 && used + 1 + display_width(word) > width) {
            lines.emplace_back();
            used = 0;
        }
        word = word.substr(0, fitting_bytes(word, width));
        if (used > 0) {
            lines.back() += ' ';
            ++used;
        }
        lines.back() += word;
        used += display_width(word);
        text.remove_prefix(word.size());
    }
}

}} // namespace bursar::reports
