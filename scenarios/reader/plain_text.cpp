#include "scenarios/reader/plain_text.hpp"

#include <cstddef>

namespace bursar { inline namespace scenarios {
namespace {

bool is_quote(char c) {
    return c == '"' || c == '\'';
}

/// Whether a value may begin here; inside a value a quote is an ordinary character.
bool begins_a_value(std::string_view text, std::size_t at) {
    const std::size_t before = text.substr(0, at).find_last_not_of(' ');
    constexpr std::string_view openers = ",;{[:=";
    return before == std::string_view::npos || openers.find(text[before]) != std::string_view::npos;
}

} // namespace

std::string lower_case(std::string_view text) {
    std::string lower{text};
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    bool inside = false;
    for (const char c : lower_case(text)) {
        const bool part = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (part && !inside)
            words.emplace_back();
        if (part)
            words.back() += c;
        inside = part;
    }
    return words;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<std::vector<std::string>> split_list(std::string_view text, char separator) {
    std::vector<std::string> values;
    std::string open; // open brackets, then an open quote
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool quoted = !open.empty() && is_quote(open.back());
        if (quoted) {
            if (c == open.back())
                open.pop_back();
        } else if (c == '{' || c == '[') {
            open += c == '{' ? '}' : ']';
        } else if (is_quote(c) && begins_a_value(text, i)) {
            open += c;
        } else if (c == '}' || c == ']') {
            if (open.empty() || open.back() != c)
                return std::nullopt;
            open.pop_back();
        } else if (c == separator && open.empty()) {
            values.emplace_back(trimmed(text.substr(begin, i - begin)));
            begin = i + 1;
        }
    }
    if (!open.empty())
        return std::nullopt;
    values.emplace_back(trimmed(text.substr(begin)));
    return values;
}

std::string_view without_quotes(std::string_view text) {
    const bool quoted = text.size() >= 2 && is_quote(text.front()) && text.back() == text.front();
    return quoted ? text.substr(1, text.size() - 2) : text;
}

}} // namespace bursar::scenarios
