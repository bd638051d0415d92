#include "scenarios/errors/nearest_name.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace bursar {
namespace {

constexpr std::size_t max_name_bytes = 64; ///< longer texts are no misspelt names
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

/// How far `candidate` is from what was written; nothing if it is not a likely meaning. A name that
/// the text is a part of ("V100" of "V100-PCIe") is as near as one slip.
std::optional<std::size_t> nearness(std::string_view written, std::string_view candidate) {
    if (written.size() > max_name_bytes || written.empty())
        return std::nullopt;
    const auto same = [](char a, char b) { return lower(a) == lower(b); };
    if (written.size() >= 3 && !std::ranges::search(candidate, written, same).empty())
        return 1;
    const std::size_t distance = edit_distance(written, candidate);
    const bool near =
        distance <= written.size() / 3 + 1 && distance < std::max(written.size(), candidate.size());
    return near ? std::optional{distance} : std::nullopt;
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

} // namespace bursar
