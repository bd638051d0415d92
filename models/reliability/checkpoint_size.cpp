#include "models/reliability/checkpoint_size.hpp"

#include "models/errors/require.hpp"
#include "models/training/memory/states.hpp"

namespace bursar { inline namespace models {
namespace {

void check(const IncrementalPlan& plan) {
    require_share("changed_share", plan.changed_share);
    if (!(plan.full_every >= 1) || !std::isfinite(plan.full_every))
        throw ModelError{"full_every", "must be a finite number, one or above", ""};
}

} // namespace

double checkpoint_bytes_per_parameter(StateRecipe recipe, CheckpointContents contents) {
    const StateBytes bytes = state_bytes(recipe);
    return contents == CheckpointContents::weights ? bytes.weights
                                                   : bytes.weights + bytes.optimizer;
}

ByteVolume checkpoint_size(double parameters, double bytes_per_parameter) {
    require_positive("params", parameters);
    require_positive("bytes_per_parameter", bytes_per_parameter);
    return ByteVolume{parameters * bytes_per_parameter};
}

ByteVolume mean_saved(ByteVolume full, const IncrementalPlan& plan) {
    check(plan);
    return full * ((1 + (plan.full_every - 1) * plan.changed_share) / plan.full_every);
}

ByteVolume mean_loaded(ByteVolume full, const IncrementalPlan& plan) {
    check(plan);
    return full * (1 + plan.changed_share * (plan.full_every - 1) / 2);
}

}} // namespace bursar::models
