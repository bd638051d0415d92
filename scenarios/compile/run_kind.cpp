#include "scenarios/compile/run_kind.hpp"

#include <algorithm>

namespace bursar::inline scenarios {

RunKinds::RunKinds(const Scenario& scenario, const Catalogue& catalogue, const Trace& trace)
    : scenario_{scenario}, trace_{trace} {
    if (!scenario.run_times.gpu.empty())
        workload_gpu_ = number_of(catalogue.find(scenario.run_times.gpu));
    for (const std::vector<std::string>& types : trace.gpu_type_sets)
        type_set_gpu_.push_back(types.size() == 1 ? number_of(catalogue.find(types.front()))
                                                  : workload_gpu_);
}

RunKind RunKinds::of(std::uint32_t row, std::uint16_t job_class) const {
    return {job_class,
            trace_.gpu_types.empty() ? workload_gpu_ : type_set_gpu_[trace_.gpu_types[row]],
            job_type(row, job_class),
            trace_.gpus[row]};
}

std::uint32_t RunKinds::job_type(std::uint32_t row, std::uint16_t job_class) const {
    const ThroughputTable* measured = scenario_.run_times.measured.get();
    if (measured == nullptr)
        return 0;
    if (!scenario_.classes.empty() && !scenario_.classes[job_class].job_type.empty())
        return measured->number_of(scenario_.classes[job_class].job_type);
    return trace_.name_end.empty() ? 0 : measured->number_of(trace_.name(row));
}

std::uint16_t RunKinds::number_of(const Gpu* gpu) {
    const auto known = std::ranges::find(gpus_, gpu);
    if (known == gpus_.end())
        return gpus_.push_back(gpu), static_cast<std::uint16_t>(gpus_.size() - 1);
    return static_cast<std::uint16_t>(known - gpus_.begin());
}

} // namespace bursar::inline scenarios
