#include "reports/focus/focus_text.hpp"

#include <algorithm>
#include <array>

#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

/// What spreadsheets take for the begin of a formula, wide forms of it among them.
constexpr std::array<std::string_view, 9> risky_begins{
    "=", "+", "-", "@", "'", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

} // namespace

std::string harmless_text(std::string_view name) {
    std::string text = terminal_text(name);
    const bool is_risky = std::ranges::any_of(
        risky_begins, [&](std::string_view begin) { return text.starts_with(begin); });
    return is_risky ? "'" + text : text;
}

std::string focus_id(std::string_view kind, std::string_view name) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string id{kind};
    id += '/';
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (is_plain(c))
            id += c;
        else
            (((id += '%') += digits[byte >> 4U]) += digits[byte & 0xFU]);
    }
    return id;
}

}} // namespace bursar::reports
