#include "models/reliability/checkpoint_size.hpp"

#include <algorithm>

#include "models/errors/require.hpp"

namespace bursar {
namespace {

void check(const IncrementalPlan& plan) {
    require_share(plan.changed_share, "changed_share");
    if (!(plan.full_every >= 1) || !std::isfinite(plan.full_every))
        throw ModelError{"full_every", "must be a finite number, one or above", ""};
}

} // namespace

const CheckpointRecipe* find_checkpoint_recipe(std::string_view name) {
    const auto* found = std::ranges::find(checkpoint_recipes, name, &CheckpointRecipe::name);
    return found == checkpoint_recipes.end() ? nullptr : found;
}

std::vector<std::string> checkpoint_recipe_names() {
    std::vector<std::string> names;
    for (const CheckpointRecipe& recipe : checkpoint_recipes)
        names.emplace_back(recipe.name);
    return names;
}

ByteVolume checkpoint_size(double parameters, double bytes_per_parameter) {
    require_positive(parameters, "params");
    require_positive(bytes_per_parameter, "bytes_per_parameter");
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

} // namespace bursar
