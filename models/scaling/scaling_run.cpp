#include "models/scaling/scaling_run.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <string>

#include "models/errors/model_error.hpp"

namespace bursar { inline namespace models {

std::vector<ScalingRun> without_highest(std::span<const ScalingRun> runs, std::size_t count) {
    if (count >= runs.size())
        throw ModelError{
            "drop_highest", "all " + std::to_string(runs.size()) + " runs would be left out", {}};
    std::vector<std::size_t> by_loss(runs.size());
    std::iota(by_loss.begin(), by_loss.end(), std::size_t{0});
    std::ranges::stable_sort(by_loss, {}, [&](std::size_t i) { return runs[i].loss; });
    by_loss.resize(runs.size() - count);
    std::ranges::sort(by_loss);
    std::vector<ScalingRun> kept;
    kept.reserve(by_loss.size());
    for (const std::size_t i : by_loss)
        kept.push_back(runs[i]);
    return kept;
}

SurfaceError surface_error(const LossSurface& surface, std::span<const ScalingRun> runs) {
    assert(!runs.empty());
    SurfaceError error;
    for (const ScalingRun& run : runs) {
        const double off = loss(surface, run.size) / run.loss - 1;
        error.mean_absolute += std::abs(off);
        error.bias += off;
    }
    const auto count = static_cast<double>(runs.size());
    return {error.mean_absolute / count, error.bias / count};
}

}} // namespace bursar::models
