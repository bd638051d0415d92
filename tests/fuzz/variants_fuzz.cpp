#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/variants/variants.hpp"

/// Any bytes as the values of --vary, a line each: they are taken apart, or refused with a
/// ScenarioError that says why.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text{reinterpret_cast<const char*>(data), size}; // NOLINT: bytes are text
    try {
        std::vector<bursar::Axis> axes;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            axes.push_back(bursar::parse_axis(text.substr(0, end)));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        std::size_t num_paths = 0;
        for (const bursar::Axis& axis : axes)
            num_paths += 1 + axis.with.size();
        for (const bursar::Variant& variant : bursar::all_variants(axes))
            if (variant.sets.size() != num_paths)
                __builtin_trap();
    } catch (const bursar::ScenarioError& error) {
        if (error.findings().empty())
            __builtin_trap();
    }
    return 0;
}
