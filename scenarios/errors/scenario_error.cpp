#include "scenarios/errors/scenario_error.hpp"

#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"

namespace bursar::inline scenarios {

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
    for (const Finding& finding : findings_) {
        if (!text_.empty())
            text_ += '\n';
        text_ += finding.text();
    }
}

ScenarioError::ScenarioError(Finding finding)
    : ScenarioError{std::vector<Finding>{std::move(finding)}} {}

} // namespace bursar::inline scenarios
