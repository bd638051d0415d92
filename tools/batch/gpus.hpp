#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "policies/batch/run_batch.hpp"

namespace bursar { inline namespace tools {

/// A device that batches may run on.
struct BatchGpu {
    std::string name; ///< "GPU 0 (NVIDIA H100 80GB HBM3)"
    /// Call it from the thread that will use the device. Throws BatchError.
    std::function<std::unique_ptr<BatchDevice>()> open;
};

/// Every GPU of the system; none if this program was built without kernels.
/// team: what makes a run there.
[[nodiscard]] std::vector<BatchGpu> gpus(TeamKind team = TeamKind::warp);

/// Why there is none, in words.
[[nodiscard]] std::string why_no_gpu();

}} // namespace bursar::tools
