#include "reports/text/display_width.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace bursar { inline namespace reports {
namespace {

struct Range {
    char32_t first, last;
};

constexpr std::array wide{Range{0x1100, 0x115F},
                          Range{0x231A, 0x231B},
                          Range{0x2E80, 0x303E},
                          Range{0x3041, 0x33FF},
                          Range{0x3400, 0x4DBF},
                          Range{0x4E00, 0xA4CF},
                          Range{0xA960, 0xA97C},
                          Range{0xAC00, 0xD7A3},
                          Range{0xF900, 0xFAFF},
                          Range{0xFE10, 0xFE19},
                          Range{0xFE30, 0xFE6B},
                          Range{0xFF01, 0xFF60},
                          Range{0xFFE0, 0xFFE6},
                          Range{0x16FE0, 0x18CFF},
                          Range{0x1AFF0, 0x1B2FF},
                          Range{0x1F300, 0x1F64F},
                          Range{0x1F680, 0x1F6FF},
                          Range{0x1F900, 0x1F9FF},
                          Range{0x20000, 0x3FFFD}};
constexpr std::array combining{Range{0x0300, 0x036F},
                               Range{0x1AB0, 0x1AFF},
                               Range{0x1DC0, 0x1DFF},
                               Range{0x200B, 0x200F},
                               Range{0x20D0, 0x20FF},
                               Range{0xFE00, 0xFE0F},
                               Range{0xFE20, 0xFE2F},
                               Range{0xE0100, 0xE01EF}};

bool is_in(std::span<const Range> ranges, char32_t code) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
        return range.first <= code && code <= range.last;
    });
}

/// The character of `text` at `i` and where the next one begins.
struct Character {
    char32_t code;
    std::size_t end;
};
Character character_at(std::string_view text, std::size_t i) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned lead = byte(i);
    if (lead < 0x80)
        return {lead, i + 1};
    const unsigned bits = lead < 0xE0 ? 0x1F : lead < 0xF0 ? 0x0F : 0x07;
    Character out{lead & bits, i + 1};
    for (; out.end < text.size() && (byte(out.end) & 0xC0) == 0x80; ++out.end)
        out.code = out.code << 6 | (byte(out.end) & 0x3F);
    return out;
}

std::size_t width_of(char32_t code) {
    if (code < combining.front().first)
        return 1;
    if (is_in(combining, code))
        return 0;
    return is_in(wide, code) ? 2 : 1;
}

std::string blanks_up_to(std::size_t width, std::string_view text) {
    const std::size_t have = display_width(text);
    return std::string(have < width ? width - have : 0, ' ');
}

} // namespace

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < text.size();) {
        const Character character = character_at(text, i);
        width += width_of(character.code);
        i = character.end;
    }
    return width;
}

std::string cut_to_width(std::string_view text, std::size_t width) {
    if (display_width(text) <= width)
        return std::string{text};
    std::size_t end = 0;
    for (std::size_t taken = 1; end < text.size();) { // the ellipsis takes 1
        const Character character = character_at(text, end);
        taken += width_of(character.code);
        if (taken > width)
            break;
        end = character.end;
    }
    return std::string{text.substr(0, end)} + "\u2026";
}

std::string left_aligned(std::string_view text, std::size_t width) {
    return std::string{text} + blanks_up_to(width, text);
}

std::string right_aligned(std::string_view text, std::size_t width) {
    return blanks_up_to(width, text) + std::string{text};
}

}} // namespace bursar::reports
