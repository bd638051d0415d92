#include "models/training/step/input_stall.hpp"

#include <algorithm>

namespace bursar { inline namespace models {

Seconds loading_time(const InputPipeline& input, double samples) {
    const ByteVolume bytes = input.bytes_per_sample * samples;
    Seconds fetch{};
    if (bytes.count() > 0 && input.cache_hit < 1)
        fetch += bytes * (1 - input.cache_hit) / input.storage;
    if (bytes.count() > 0 && input.cache_hit > 0)
        fetch += bytes * input.cache_hit / input.cache;
    const auto workers = static_cast<double>(std::max<std::int64_t>(input.workers, 1));
    const double opened = (1 - input.cache_hit) / static_cast<double>(input.samples_per_file);
    const Seconds each = input.cpu_per_sample + input.file_open * opened;
    return std::max(fetch, each * (samples / workers));
}

Seconds
input_stall(const InputPipeline& input, StepSamples samples, Seconds step, ByteRate host_link) {
    const Seconds load = loading_time(input, samples.node);
    const bool ahead = input.workers > 0 && input.prefetch >= 2;
    const Seconds stall = ahead ? std::max(Seconds{}, load - step) : load;
    if (input.pinned_memory)
        return stall;
    return stall + input.bytes_per_sample * samples.gpu / host_link;
}

}} // namespace bursar::models
