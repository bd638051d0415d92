#include "reports/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Characters that bursar itself writes, and their like of one column.
constexpr std::array<std::pair<std::string_view, char>, 13> likes{{{"\u2026", '~'}, // ellipsis
                                                                   {"\u00b7", '*'}, // middle dot
                                                                   {"\u00d7", 'x'}, // times
                                                                   {"\u2212", '-'}, // minus
                                                                   {"\u2013", '-'}, // dashes
                                                                   {"\u2014", '-'},
                                                                   {"\u2018", '\''}, // quotes
                                                                   {"\u2019", '\''},
                                                                   {"\u201c", '"'},
                                                                   {"\u201d", '"'},
                                                                   {"\u00b5", 'u'}, // micro
                                                                   {"\u2500", '-'}, // box drawing
                                                                   {"\u2502", '|'}}};

bool is_ascii(char c) {
    return static_cast<unsigned char>(c) < 0x80;
}

std::string like(std::string_view character) {
    const auto known =
        std::ranges::find(likes, character, [](const auto& row) { return row.first; });
    return known != likes.end() ? std::string{known->second}
                                : std::string(display_width(character), '?');
}

} // namespace

std::string ascii_text(std::string_view text) {
    if (std::ranges::all_of(text, is_ascii))
        return std::string{text};
    const std::string valid = valid_utf8(text);
    std::string out;
    for (std::size_t i = 0; i < valid.size();) {
        std::size_t end = i + 1;
        while (end < valid.size() && (static_cast<unsigned char>(valid[end]) & 0xC0U) == 0x80U)
            ++end;
        if (is_ascii(valid[i]))
            out += valid[i];
        else
            out += like(std::string_view{valid}.substr(i, end - i));
        i = end;
    }
    return out;
}

}} // namespace bursar::reports
