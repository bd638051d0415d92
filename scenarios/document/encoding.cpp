#include "scenarios/document/encoding.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace bursar { inline namespace scenarios {
namespace {

std::size_t sequence_length(unsigned char lead) {
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 2;
    if (lead >= 0xE0 && lead <= 0xEF)
        return 3;
    return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

/// Smallest and largest second byte: excludes overlong forms, surrogates and what lies past
/// U+10FFFF (RFC 3629, section 4).
bool is_second(unsigned char lead, unsigned char second) {
    const unsigned char min = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char max = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    return second >= min && second <= max;
}

/// Length of the UTF-8 sequence `rest` starts with; 0 if it starts with none.
std::size_t valid_length(std::string_view rest) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
    const std::size_t length = sequence_length(byte(0));
    if (length < 2)
        return length;
    if (rest.size() < length || !is_second(byte(0), byte(1)))
        return 0;
    for (std::size_t i = 2; i < length; ++i)
        if ((byte(i) & 0xC0U) != 0x80U)
            return 0;
    return length;
}

bool is_control(unsigned char c) {
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
}

[[noreturn]] void
fail(std::string_view text, std::size_t at, const Source& source, std::string problem) {
    Place place{source.name};
    if (source.has_lines) {
        const std::string_view before = text.substr(0, at);
        const std::size_t line_start = before.rfind('\n') + 1; // npos + 1 is 0: the first line
        place.line = 1 + static_cast<std::uint64_t>(std::ranges::count(before, '\n'));
        place.column = 1 + at - line_start;
    }
    throw ScenarioError{Finding{std::move(place), {}, std::move(problem), "not a text file?", {}}};
}

} // namespace

void check_encoding(std::string_view text, const Source& source) {
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const std::size_t length = valid_length(text.substr(at));
        if (length == 0)
            fail(text, at, source, fmt::format("the byte 0x{:02x} is not UTF-8", byte));
        if (is_control(byte))
            fail(text, at, source, fmt::format("a control character, U+{:04X}", byte));
        at += length;
    }
}

}} // namespace bursar::scenarios
