#include "models/training/parameters.hpp"

#include <algorithm>
#include <cassert>

namespace bursar {
namespace {

double real(std::int64_t count) {
    return static_cast<double>(count);
}

} // namespace

double attention_parameters(const Transformer& model) {
    return real(model.hidden) * real(model.head_dim) *
           (2 * real(model.heads) + 2 * real(model.kv_heads));
}

double dense_ffn_parameters(const Transformer& model) {
    const double per_inner = real(model.ffn_matrices) * real(model.hidden);
    if (!model.experts)
        return per_inner * real(model.ffn);
    return per_inner * real(model.experts->shared_ffn) +
           real(model.hidden) * real(model.experts->count);
}

double expert_parameters(const Transformer& model) {
    if (!model.experts)
        return 0;
    return real(model.ffn_matrices) * real(model.hidden) * real(model.experts->ffn) *
           real(model.experts->count);
}

double layer_parameters(const Transformer& model) {
    return attention_parameters(model) + dense_ffn_parameters(model) + expert_parameters(model);
}

double embedding_parameters(const Transformer& model) {
    return real(model.vocab) * real(model.hidden);
}

double total_parameters(const Transformer& model) {
    return real(model.layers) * layer_parameters(model) +
           (model.tied_embedding ? 1 : 2) * embedding_parameters(model);
}

RankParameters rank_parameters(const Transformer& model, const Layout& layout, std::int64_t stage) {
    assert(stage >= 0 && stage < layout.pipeline);
    const double layers = real(layers_per_stage(model.layers, layout.pipeline));
    const double tensor = real(layout.tensor);
    RankParameters held;
    held.dense = layers * (attention_parameters(model) + dense_ffn_parameters(model)) / tensor;
    held.experts = layers * expert_parameters(model) / (tensor * real(layout.expert));
    const bool first = stage == 0;
    const bool last = stage == layout.pipeline - 1;
    const int copies = first && last ? (model.tied_embedding ? 1 : 2) : first || last ? 1 : 0;
    held.embedding = copies * embedding_parameters(model) / tensor;
    return held;
}

double gathered_layer(const Transformer& model, const Layout& layout) {
    return (attention_parameters(model) + dense_ffn_parameters(model) +
            expert_parameters(model) / real(layout.expert)) /
           real(layout.tensor);
}

double largest_gathered_unit(const Transformer& model, const Layout& layout) {
    return std::max(gathered_layer(model, layout),
                    embedding_parameters(model) / real(layout.tensor));
}

} // namespace bursar
