#include "models/training/step/pipeline.hpp"

namespace bursar { inline namespace models {

double bubble_ratio(std::int64_t stages, std::int64_t chunks, std::int64_t micro_batches) {
    return static_cast<double>(stages - 1) / static_cast<double>(chunks * micro_batches);
}

double bubble_share(std::int64_t stages, std::int64_t chunks, std::int64_t micro_batches) {
    const double ratio = bubble_ratio(stages, chunks, micro_batches);
    return ratio / (1 + ratio);
}

}} // namespace bursar::models
