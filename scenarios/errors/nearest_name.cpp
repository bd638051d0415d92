#include "scenarios/errors/nearest_name.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace bursar::inline scenarios {
namespace {

constexpr std::size_t max_name_bytes = 64; ///< longer texts are no misspelt names
constexpr std::size_t min_part_bytes = 3;  ///< shorter texts are in any name by chance
constexpr std::size_t max_listed_names = 20;
constexpr std::size_t max_suggestions = 3;

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

bool is_word_character(char c) {
    return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z');
}

/// How `candidate` contains what was written: as whole words, as a part of one, or not at all.
enum class Contains : std::uint8_t { nothing, part, words };

Contains containment(std::string_view candidate, std::string_view written) {
    const auto same = [](char a, char b) { return lower(a) == lower(b); };
    const auto found = std::ranges::search(candidate, written, same);
    if (written.size() < min_part_bytes || found.empty())
        return Contains::nothing;
    const bool begins = found.begin() == candidate.begin() || !is_word_character(found.begin()[-1]);
    const bool ends = found.end() == candidate.end() || !is_word_character(*found.end());
    return begins && ends ? Contains::words : Contains::part;
}

/// How far `candidate` is from what was written; nothing if it is not a likely meaning. Equal but
/// for case: 0; the words of a longer name ("V100" of "V100-PCIe"): 1; one slip, or a part of a
/// word: 2; each further slip one more.
std::optional<std::size_t> nearness(std::string_view written, std::string_view candidate) {
    if (written.size() > max_name_bytes || written.empty())
        return std::nullopt;
    const Contains contains = containment(candidate, written);
    if (contains != Contains::nothing && candidate.size() == written.size())
        return 0;
    if (contains != Contains::nothing)
        return contains == Contains::words ? 1 : 2;
    const std::size_t distance = edit_distance(written, candidate);
    const bool near =
        distance <= written.size() / 3 + 1 && distance < std::max(written.size(), candidate.size());
    if (!near)
        return std::nullopt;
    return distance == 0 ? 0 : distance + 1;
}

} // namespace

std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string> known) {
    std::vector<std::string> best;
    std::size_t least = max_name_bytes;
    for (const std::string& candidate : known) {
        const std::optional<std::size_t> distance = nearness(name, candidate);
        if (!distance || *distance > least)
            continue;
        if (*distance < least)
            best.clear();
        least = *distance;
        if (best.size() < max_suggestions)
            best.push_back(candidate);
    }
    return best;
}

std::string suggestion(std::string_view name, std::span<const std::string> known) {
    if (known.empty())
        return {};
    const std::vector<std::string> near = nearest_names(name, known);
    if (!near.empty())
        return fmt::format("did you mean \"{}\"?", fmt::join(near, "\" or \""));
    const std::span<const std::string> listed =
        known.first(std::min(known.size(), max_listed_names));
    return fmt::format(
        "one of: {}{}", fmt::join(listed, ", "), listed.size() < known.size() ? ", ..." : "");
}

} // namespace bursar::inline scenarios
