#include "reports/text/escape.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "reports/text/display_width.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD"; // U+FFFD

constexpr unsigned byte_at(std::string_view text, std::size_t i) {
    return static_cast<unsigned char>(text[i]);
}

/// Bytes of the well-formed UTF-8 character at `i` (Unicode 15, table 3-7), or 0.
std::size_t character_size(std::string_view text, std::size_t i) {
    const unsigned lead = byte_at(text, i);
    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (text.size() - i < size)
        return 0;
    // The second byte's range excludes overlong forms, surrogates and what is past U+10FFFF.
    const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte_at(text, i + 1) < low || byte_at(text, i + 1) > high)
        return 0;
    for (std::size_t k = 2; k < size; ++k) {
        if ((byte_at(text, i + k) & 0xC0) != 0x80)
            return 0;
    }
    return size;
}

constexpr bool is_plain_ascii(char c) {
    return c >= 0x20 && c < 0x7F;
}

/// Calls visit(character) for each character of `text`; ill-formed bytes are visited as U+FFFD.
template <class Visit>
void for_each_character(std::string_view text, Visit visit) {
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t size = character_size(text, i);
        visit(size == 0 ? replacement : text.substr(i, size));
        i += std::max<std::size_t>(size, 1);
    }
}

/// U+0080..U+009F: terminals may obey them like escape sequences.
bool is_c1_control(std::string_view character) {
    return character.size() == 2 && byte_at(character, 0) == 0xC2 && byte_at(character, 1) < 0xA0;
}

/// The code of U+061C, U+200E, U+200F, U+202A..U+202E and U+2066..U+2069, which reorder the text
/// beside them; else 0.
unsigned turn_of_direction(std::string_view character) {
    if (character == "\u061c")
        return 0x61C;
    if (character.size() != 3 || byte_at(character, 0) != 0xE2)
        return 0;
    const unsigned code =
        0x2000 | (byte_at(character, 1) & 0x3F) << 6 | (byte_at(character, 2) & 0x3F);
    const bool turns = code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                       (code >= 0x2066 && code <= 0x2069);
    return turns ? code : 0;
}

/// A control character or direction mark as visible text, anything else as itself.
std::string visible(std::string_view character) {
    const unsigned lead = byte_at(character, 0);
    if (character == "\n")
        return "\\n";
    if (character == "\t")
        return "\\t";
    if (lead < 0x20 || lead == 0x7F)
        return fmt::format("\\x{:02x}", lead);
    if (is_c1_control(character))
        return fmt::format("\\x{:02x}", byte_at(character, 1));
    if (const unsigned code = turn_of_direction(character); code != 0)
        return fmt::format("\\u{:04x}", code);
    return std::string{character};
}

} // namespace

std::string valid_utf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for_each_character(text, [&](std::string_view character) { out += character; });
    return out;
}

void put_json_string(TextSink& sink, std::string_view text) {
    const auto needs_no_escape = [](char c) { return is_plain_ascii(c) && c != '"' && c != '\\'; };
    sink.put('"');
    if (std::all_of(text.begin(), text.end(), needs_no_escape)) {
        sink.put(text);
    } else {
        for_each_character(text, [&](std::string_view character) {
            const char c = character.front();
            if (c == '"' || c == '\\')
                sink.put('\\');
            if (byte_at(character, 0) < 0x20 || c == 0x7F)
                sink.put(fmt::format("\\u{:04x}", byte_at(character, 0)));
            else
                sink.put(character);
        });
    }
    sink.put('"');
}

void put_csv_field(TextSink& sink, std::string_view text) {
    if (std::all_of(text.begin(), text.end(), [](char c) {
            return is_plain_ascii(c) && c != '"' && c != ',';
        })) {
        sink.put(text);
        return;
    }
    const bool quoted = text.find_first_of(",\"\r\n") != std::string_view::npos;
    if (quoted)
        sink.put('"');
    for_each_character(text, [&](std::string_view character) {
        if (character == "\"")
            sink.put('"');
        sink.put(character);
    });
    if (quoted)
        sink.put('"');
}

std::string csv_field(std::string_view text) {
    StringSink sink;
    put_csv_field(sink, text);
    return sink.text();
}

std::string markdown_cell(std::string_view text) {
    std::string out;
    for_each_character(text, [&](std::string_view character) {
        if (character == "\n")
            out += "<br>";
        else if (character == "<")
            out += "&lt;";
        else if (character == ">")
            out += "&gt;";
        else if (character == "&")
            out += "&amp;";
        else if (std::string_view{"\\|`*_[]~$"}.find(character) != std::string_view::npos)
            out += '\\' + std::string{character};
        else if (const std::string shown = visible(character); shown != character)
            out += '\\' + shown; // its backslash is text, too
        else
            out += character;
    });
    return out;
}

std::string terminal_text(std::string_view text) {
    std::string out;
    for_each_character(text, [&](std::string_view character) { out += visible(character); });
    return out;
}

std::string terminal_lines(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\n\t\x1b"), text.size());
        out += terminal_text(text.substr(0, end));
        text.remove_prefix(end);
        if (text.empty())
            break;
        const bool is_bold = text.starts_with(bold_on) || text.starts_with(bold_off);
        const std::string_view next = text.substr(0, is_bold ? bold_on.size() : 1);
        out += next == "\x1b" ? terminal_text(next) : next;
        text.remove_prefix(next.size());
    }
    return out;
}

std::string xml_text(std::string_view text) {
    std::string out;
    for (const char c : valid_utf8(text)) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else if (static_cast<unsigned char>(c) >= 0x20)
            out += c;
        else
            out += ' ';
    }
    return out;
}

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
