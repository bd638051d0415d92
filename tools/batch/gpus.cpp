#include "tools/batch/gpus.hpp"

#include "policies/batch/cuda_device.hpp"

namespace bursar { inline namespace tools {

std::vector<BatchGpu> gpus(TeamKind team) {
    std::vector<BatchGpu> out;
    for (int number = 0; number < CudaDevice::count(); ++number) {
        std::string name = "GPU " + std::to_string(number);
        try {
            name += " (" + CudaDevice{number}.name() + ")";
        } catch (const BatchError&) {
            // Another process may use it exclusively; the reason is reported when it gets runs.
        }
        out.push_back({std::move(name),
                       [number, team] { return std::make_unique<CudaDevice>(number, team); }});
    }
    return out;
}

std::string why_no_gpu() {
    return "CUDA finds no GPU (" + CudaDevice::why_none() + ")";
}

}} // namespace bursar::tools
