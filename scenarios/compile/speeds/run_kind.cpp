#include "scenarios/compile/speeds/run_kind.hpp"

#include <algorithm>

namespace bursar { inline namespace scenarios {

RunKinds::RunKinds(const Scenario& scenario, const Catalogue& catalogue, const Trace& trace)
    : scenario_{scenario}, trace_{trace} {
    if (!scenario.run_times.gpu.empty())
        workload_gpu_ = number_of(catalogue.find(scenario.run_times.gpu));
    for (const std::string& gpu : trace.ran_on_gpus)
        ran_on_gpu_.push_back(number_of(catalogue.find(gpu)));
    for (const std::vector<std::string>& types : trace.gpu_type_sets)
        type_set_gpu_.push_back(types.size() == 1 ? number_of(catalogue.find(types.front()))
                                                  : workload_gpu_);
}

RunKind RunKinds::of(std::uint32_t row, std::uint16_t job_class) const {
    RunKind kind{.job_class = job_class,
                 .ran_on = workload_gpu_,
                 .job_type = job_type(row, job_class),
                 .gpus = trace_.gpus[row]};
    if (!trace_.ran_on.empty() && trace_.ran_on[row] > 0) {
        kind.ran_on = ran_on_gpu_[trace_.ran_on[row]];
        kind.row_names_gpu = true;
    } else if (!trace_.gpu_types.empty()) {
        kind.ran_on = type_set_gpu_[trace_.gpu_types[row]];
    }
    return kind;
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

}} // namespace bursar::scenarios
