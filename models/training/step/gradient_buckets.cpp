#include "models/training/step/gradient_buckets.hpp"

#include <algorithm>

namespace bursar::inline models {

Seconds finish_buckets(std::span<const BucketRun> runs) {
    Seconds end{};
    for (const BucketRun& run : runs) {
        const Seconds all = run.each * run.count;
        const Seconds last_ready = run.first_ready + run.spacing * (run.count - 1);
        end = std::max({end + all, run.first_ready + all, last_ready + run.each});
    }
    return end;
}

} // namespace bursar::inline models
