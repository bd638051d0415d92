#include "scenarios/compile/run_time_notes.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bursar::inline scenarios {

void RunTimeNotes::add(std::uint32_t row, std::uint16_t job_class, std::uint64_t pools) {
    const bool names_its_gpu =
        !trace_.gpu_types.empty() && trace_.gpu_type_sets[trace_.gpu_types[row]].size() == 1;
    if (names_its_gpu || (pools & ~unscaled_pools_) == 0)
        return;
    for (std::size_t p = 0; p < scenario_.fleet.size(); ++p)
        if (scenario_.classes.empty() ||
            !speed_on(scenario_.classes[job_class], scenario_.fleet[p].gpu))
            unscaled_pools_ |= pools & std::uint64_t{1} << p;
}

std::vector<std::string> RunTimeNotes::assumed() const {
    std::vector<std::string> gpus;
    for (std::size_t p = 0; p < scenario_.fleet.size(); ++p) {
        const std::string& gpu = scenario_.fleet[p].gpu;
        if ((unscaled_pools_ >> p & 1U) != 0 && std::ranges::find(gpus, gpu) == gpus.end())
            gpus.push_back(gpu);
    }
    if (gpus.empty())
        return {};
    constexpr std::array<std::string_view, 3> sources{
        "the trace", "the synthetic workload", "the list"};
    return {fmt::format("run times are those of {} on any GPU, not scaled to {} (no `speed` given)",
                        sources[scenario_.workload.index()],
                        fmt::join(gpus, ", "))};
}

} // namespace bursar::inline scenarios
