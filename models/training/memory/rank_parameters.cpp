#include "models/training/memory/rank_parameters.hpp"

#include <algorithm>
#include <cassert>

#include "models/training/job/flops.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {
namespace {

/// The token embedding, and so the output matrix.
double vocabulary_matrix(const Transformer& model) {
    return real(model.vocab) * real(model.hidden);
}

double dense_parameters(const Transformer& model) {
    return layer_parameters(model) - expert_parameters(model);
}

} // namespace

RankParameters rank_parameters(const Transformer& model, const Layout& layout, std::int64_t stage) {
    assert(stage >= 0 && stage < layout.pipeline);
    const double layers = real(layers_per_stage(model.layers, layout.pipeline));
    const double tensor = real(layout.tensor);
    RankParameters held;
    held.dense = layers * dense_parameters(model) / tensor;
    held.experts = layers * expert_parameters(model) / (tensor * real(layout.expert));
    const bool first = stage == 0;
    const bool last = stage == layout.pipeline - 1;
    const int copies = first && last ? (model.tied_embedding ? 1 : 2) : first || last ? 1 : 0;
    held.embedding = copies * vocabulary_matrix(model) / tensor;
    return held;
}

double sharded_parameters(const RankParameters& held, const Layout& layout) {
    const double ranks = real(layout.shard_ranks());
    const double expert_ranks = std::max(1.0, ranks / real(layout.expert));
    return (held.dense + held.embedding) / ranks + held.experts / expert_ranks;
}

double gathered_layer(const Transformer& model, const Layout& layout) {
    return (dense_parameters(model) + expert_parameters(model) / real(layout.expert)) /
           real(layout.tensor);
}

double largest_gathered_unit(const Transformer& model, const Layout& layout) {
    return std::max(gathered_layer(model, layout), vocabulary_matrix(model) / real(layout.tensor));
}

}} // namespace bursar::models
