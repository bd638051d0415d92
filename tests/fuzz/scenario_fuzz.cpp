#include <cstddef>
#include <cstdint>
#include <string_view>

#include "policies/choice/policy_slots.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/keys/read_scenario.hpp"

/// Any bytes as a scenario: it is read, or refused with a ScenarioError that says why.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const bursar::Catalogue catalogue = bursar::builtin_catalogue();
    static const bursar::KnownNames names{
        .policies = bursar::policy_catalog(),
        .presets = {bursar::presets().begin(), bursar::presets().end()},
        .trace_formats = {"csv", "philly-csv"},
        .synthetic = {"philly", "helios"}};
    const std::string_view text{reinterpret_cast<const char*>(data),
                                size}; // NOLINT: bytes are text
    try {
        bursar::read_scenario_text(text, "fuzz.yaml", {}, names, catalogue);
    } catch (const bursar::ScenarioError& error) {
        if (error.findings().empty())
            __builtin_trap();
    }
    return 0;
}
