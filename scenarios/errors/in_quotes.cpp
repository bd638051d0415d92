#include "scenarios/errors/in_quotes.hpp"

#include <cstddef>

#include <fmt/format.h>

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t max_shown_bytes = 60;

/// The end of a character that starts before `limit`: never cuts a UTF-8 sequence.
std::size_t cut_before(std::string_view text, std::size_t limit) {
    while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0U) == 0x80U)
        --limit;
    return limit;
}

/// How many bytes follow this one in a UTF-8 sequence (RFC 3629, section 4).
int num_following(unsigned char lead) {
    if (lead >= 0xF0 && lead <= 0xF4)
        return 3;
    if (lead >= 0xE0 && lead <= 0xEF)
        return 2;
    return lead >= 0xC2 && lead <= 0xDF ? 1 : 0;
}

} // namespace

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    int following = 0; // bytes of the current sequence that follow
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const auto next = static_cast<unsigned char>(at + 1 < text.size() ? text[at + 1] : 0);
        const bool continues = (byte & 0xC0U) == 0x80U;
        const bool c1 = byte == 0xC2 && next >= 0x80 && next <= 0x9F;
        const bool stray = continues && following == 0;
        if (byte < 0x20 || byte == 0x7F || c1 || stray)
            out += fmt::format("\\x{:02x}", byte);
        else
            out += text[at];
        following = continues && following > 0 ? following - 1 : c1 ? 0 : num_following(byte);
    }
    return out;
}

std::string in_quotes(std::string_view text) {
    const bool whole = text.size() <= max_shown_bytes;
    const std::string_view shown = whole ? text : text.substr(0, cut_before(text, max_shown_bytes));
    return '"' + printable(shown) + (whole ? "\"" : "...\"");
}

}} // namespace bursar::scenarios
