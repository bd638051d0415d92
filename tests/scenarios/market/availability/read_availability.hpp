#pragma once

#include <string>
#include <string_view>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/market/availability/read_availability.hpp"

namespace bursar::test {

/// The availability in `text`, which messages call "a".
inline AvailabilityFile read_supply(std::string_view text, AvailabilityOptions options = {}) {
    options.file = "a";
    return read_availability_text(text, options);
}

/// The message about `text`; empty if it is valid.
inline std::string supply_complaint(std::string_view text,
                                    const AvailabilityOptions& options = {}) {
    try {
        (void)read_supply(text, options);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

/// The notes on `text`, a line each.
inline std::string supply_notes(std::string_view text, const AvailabilityOptions& options = {}) {
    std::string out;
    for (const Finding& note : read_supply(text, options).notes)
        out += note.text() + '\n';
    return out;
}

} // namespace bursar::test
