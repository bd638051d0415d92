#include "scenarios/errors/scenario_error.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"

namespace bursar { inline namespace scenarios {

std::string Finding::text() const {
    std::string out = place.file;
    if (place.line > 0)
        out += fmt::format(":{}", place.line);
    if (place.column > 0)
        out += fmt::format(":{}", place.column);
    if (!out.empty())
        out += ": ";
    if (!path.empty())
        out += path + ": ";
    out += problem;
    if (!why.empty())
        out += " (" + why + ")";
    if (!suggestion.empty())
        out += "; " + suggestion;
    return printable(out);
}

ScenarioError::ScenarioError(std::vector<Finding> findings) : findings_{std::move(findings)} {
    const std::size_t shown = std::min(findings_.size(), max_shown_findings);
    for (std::size_t n = 0; n < shown; ++n) {
        if (n > 0)
            text_ += '\n';
        text_ += findings_[n].text();
    }
    const std::size_t rest = findings_.size() - shown;
    if (rest > 0)
        text_ += fmt::format("\n... and {} more mistake{}", rest, rest == 1 ? "" : "s");
}

ScenarioError::ScenarioError(Finding finding)
    : ScenarioError{std::vector<Finding>{std::move(finding)}} {}

}} // namespace bursar::scenarios
