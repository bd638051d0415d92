#include "scenarios/errors/in_quotes.hpp"

#include <cstddef>

#include <fmt/format.h>

namespace bursar {
namespace {

constexpr std::size_t max_shown_bytes = 60;

/// The end of a character that starts before `limit`: never cuts a UTF-8 sequence.
std::size_t cut_before(std::string_view text, std::size_t limit) {
    while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0U) == 0x80U)
        --limit;
    return limit;
}

} // namespace

std::string in_quotes(std::string_view text) {
    const bool whole = text.size() <= max_shown_bytes;
    std::string out = "\"";
    for (const char c : whole ? text : text.substr(0, cut_before(text, max_shown_bytes))) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out + (whole ? "\"" : "...\"");
}

} // namespace bursar
