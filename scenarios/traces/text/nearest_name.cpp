#include "scenarios/traces/text/nearest_name.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bursar {
namespace {

bool same_letter(char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
}

/// Edits between two names, upper and lower case being equal; one row of the usual table.
std::size_t edits(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (same_letter(a[i - 1], b[j - 1]) ? 0U : 1U);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row[b.size()];
}

/// One name inside the other is never too far: submit, submit_time.
bool one_holds_the_other(std::string_view a, std::string_view b) {
    const auto [shorter, longer] =
        std::minmax(a, b, [](auto x, auto y) { return x.size() < y.size(); });
    return shorter.size() >= 3 && longer.find(shorter) != std::string_view::npos;
}

constexpr std::size_t longest_name = 64; // longer texts are no misspelt names

} // namespace

std::string did_you_mean(std::string_view unknown, std::span<const std::string_view> known) {
    if (unknown.size() > longest_name)
        return {};
    const std::size_t most = std::max<std::size_t>(1, unknown.size() / 3);
    std::size_t fewest = most;
    std::vector<std::string_view> nearest;
    for (const std::string_view name : known) {
        if (name.size() > longest_name)
            continue;
        std::size_t distance = edits(unknown, name);
        if (one_holds_the_other(unknown, name))
            distance = std::min(distance, most);
        if (distance < fewest)
            nearest.clear();
        if (distance <= fewest) {
            fewest = distance;
            nearest.push_back(name);
        }
    }
    if (nearest.empty())
        return {};
    return fmt::format("did you mean \"{}\"?", fmt::join(nearest, "\" or \""));
}

std::string listed(std::span<const std::string_view> names) {
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace bursar
