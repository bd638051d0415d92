#pragma once

#include <string>
#include <utility>

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// One mistake in an input file. Empty parts are left out of the message.
inline Finding mistake(std::string problem, std::string why = {}, std::string suggestion = {}) {
    return Finding{{}, {}, std::move(problem), std::move(why), std::move(suggestion)};
}

/// Throws `finding` as the one mistake of the input at `place`; path: column or option at fault.
[[noreturn]] inline void fail_input(Place place, std::string path, Finding finding) {
    finding.place = std::move(place);
    finding.path = std::move(path);
    throw ScenarioError{std::move(finding)};
}

/// The same for a mistake of the file as a whole.
[[noreturn]] inline void fail_input(const std::string& file, Finding finding) {
    fail_input({file, 0, 0}, {}, std::move(finding));
}

}} // namespace bursar::scenarios
