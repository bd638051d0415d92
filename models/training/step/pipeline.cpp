#include "models/training/step/pipeline.hpp"

namespace bursar::inline models {

double bubble_ratio(std::int64_t stages, std::int64_t chunks, std::int64_t micro_batches) {
    return static_cast<double>(stages - 1) / static_cast<double>(chunks * micro_batches);
}

double bubble_share(std::int64_t stages, std::int64_t chunks, std::int64_t micro_batches) {
    const double ratio = bubble_ratio(stages, chunks, micro_batches);
    return ratio / (1 + ratio);
}

Seconds
pipeline_makespan(Seconds slowest, Seconds sum, std::int64_t chunks, std::int64_t micro_batches) {
    return slowest * static_cast<double>(micro_batches) +
           (sum - slowest) / static_cast<double>(chunks);
}

} // namespace bursar::inline models
