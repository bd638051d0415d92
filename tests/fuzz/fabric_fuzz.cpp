#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/topology/fabric_file.hpp"

/// Any bytes as a fabric file: it is read, or refused with a ScenarioError that says why. Numbers
/// of more than two digits are left out: a range of millions of devices is allowed, and slow.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data),
                                size}; // NOLINT: bytes are text
    std::size_t digits = 0;
    for (const char c : text) {
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        if (digits > 2)
            return 0;
    }
    try {
        const bursar::PoolFabric pool = bursar::read_fabric_text(text, "fuzz.yaml");
        if (pool.locality.levels.empty() || pool.locality.gpus.empty())
            __builtin_trap();
    } catch (const bursar::ScenarioError& error) {
        if (error.findings().empty())
            __builtin_trap();
    }
    return 0;
}
