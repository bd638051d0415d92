#include "scenarios/errors/nearest_name.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t max_name_bytes = 64;    ///< longer texts are not compared
constexpr std::size_t min_part_bytes = 3;     ///< shorter texts are part of many names by chance
constexpr std::size_t max_listed_bytes = 100; ///< of a list of names in a message
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

bool parts_words(char c) {
    return c == ' ' || c == '-' || c == '_';
}

/// The common form of all spellings of a name; a text that begins or ends with a blank or a dash is
/// no spelling of one.
std::string bare(std::string_view name) {
    if (name.empty() || parts_words(name.front()) || parts_words(name.back()))
        return std::string{name};
    std::string letters;
    for (const char c : name)
        if (!parts_words(c))
            letters += lower(c);
    return letters;
}

bool is_word_character(char c) {
    return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z');
}

/// How `candidate` contains the written text: as whole words, as a part of one, or not at all.
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

/// Distance of `candidate` from the written text; absent if it is probably not meant. Equal except
/// for case: 0; the words of a longer name ("V100" of "V100-PCIe"): 1; one typing mistake, or a
/// part of a word: 2; each further mistake adds one.
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

const std::string* meant_name(std::string_view written, std::span<const std::string> known) {
    const auto same = std::ranges::find(known, written);
    if (same != known.end())
        return &*same;
    const std::string letters = bare(written);
    const std::string* meant = nullptr;
    for (const std::string& name : known) {
        if (bare(name) != letters)
            continue;
        if (meant != nullptr)
            return nullptr; // ambiguous
        meant = &name;
    }
    return meant;
}

std::string spellings_of(std::string_view name) {
    constexpr std::string_view gap = "[-_ ]*";
    std::string pattern;
    for (const char c : name) {
        if (parts_words(c))
            continue;
        if (!pattern.empty())
            pattern += gap;
        const char small = lower(c);
        if (small >= 'a' && small <= 'z')
            pattern += fmt::format("[{}{}]", static_cast<char>(small - 'a' + 'A'), small);
        else if (c >= '0' && c <= '9')
            pattern += c;
        else
            pattern += fmt::format("[{}]", c);
    }
    return pattern;
}

std::string listed_names(std::span<const std::string> names) {
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0 && list.size() + names[i].size() > max_listed_bytes)
            return fmt::format("{} and {} more", list, names.size() - i);
        list += (i == 0 ? "" : ", ") + names[i];
    }
    return list;
}

std::string suggestion(std::string_view name, std::span<const std::string> known) {
    if (known.empty())
        return {};
    const std::vector<std::string> near = nearest_names(name, known);
    if (!near.empty())
        return fmt::format("did you mean \"{}\"?", fmt::join(near, "\" or \""));
    return "one of: " + listed_names(known);
}

Finding
none_named(std::string_view what, std::string_view name, std::span<const std::string> known) {
    return {{}, {}, fmt::format("{} named {}", what, in_quotes(name)), {}, suggestion(name, known)};
}

}} // namespace bursar::scenarios
