#include "models/training/memory/activations.hpp"

#include <algorithm>
#include <cmath>

#include "models/training/memory/states.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {
namespace {

/// Bytes of one kept number; keep_converted_inputs has what 8 and 4 bits save.
double number_bytes(Precision precision) {
    return precision == Precision::fp32 || precision == Precision::tf32 ? 4 : 2;
}

/// Tokens of one micro-batch on one context rank: T of FORMULAS 0.
double tokens(const TrainingJob& job) {
    return real(job.layout.micro_batch) * real(job.sequence) / real(job.layout.context);
}

bool writes_scores(const TrainingJob& job) {
    return job.attention == Attention::unfused;
}

/// Inner feed-forward size of a token: routed and shared experts.
double inner_width(const Transformer& model) {
    if (!model.experts)
        return real(model.ffn);
    return real(model.experts->per_token * model.experts->ffn + model.experts->shared_ffn);
}

/// Inner tensors kept: the input of the activation and its output; gated: gate, up and product;
/// eager gated: the activated gate too.
double inner_tensors(const Transformer& model, KernelFusion kernels) {
    const bool keeps_gate = kernels == KernelFusion::eager && model.ffn_matrices == 3;
    return real(model.ffn_matrices + (keeps_gate ? 1 : 0));
}

/// Extra tensors of experts: permuted tokens, and outputs before they are combined.
double routed_copies(const Transformer& model) {
    return model.experts ? 2 * real(model.experts->per_token) : 0;
}

/// Keys, and so values, of a token on all tensor ranks over the hidden size.
double key_copies(const Transformer& model, std::int64_t tensor) {
    return real(held_kv_heads(model, tensor) * model.head_dim) / real(model.hidden);
}

LayerCopies fused_copies(const Transformer& model, double bytes, std::int64_t tensor) {
    const double query = real(model.heads * model.head_dim) / real(model.hidden);
    const double key = key_copies(model, tensor);
    const double masks = model.dropout ? 2 / bytes : 0;
    const double norms = model.qk_norm ? query + key : 0;
    // Inputs of two norms, of the QKV and of the first feed-forward product.
    return {4 + masks,
            // Query, key, value and the input of the output projection.
            2 * query + 2 * key + norms +
                inner_tensors(model, KernelFusion::fused) * inner_width(model) /
                    real(model.hidden) +
                routed_copies(model)};
}

/// Operation by operation as Hugging Face's modules run: a norm keeps its input in fp32 (two
/// copies), the normalised 16-bit input and its output; keys and values are repeated per query
/// head, and the attention output is made contiguous; the layer's output.
LayerCopies eager_copies(const Transformer& model, double bytes, std::int64_t tensor) {
    const double query = real(model.heads * model.head_dim) / real(model.hidden);
    const double key = key_copies(model, tensor);
    const double norm_input = 4 / bytes + 1;
    const double masks = model.dropout ? 2 / bytes : 0;
    const double norms = model.qk_norm ? norm_input * (query + key) : 0;
    return {2 * (norm_input + 1) + 1 + masks,
            5 * query + norms +
                inner_tensors(model, KernelFusion::eager) * inner_width(model) /
                    real(model.hidden) +
                routed_copies(model)};
}

/// The copies measured on the model, split between ranks as the counted ones are. They were
/// measured with eager kernels and do not apply to fused ones.
LayerCopies
kept_copies(const Transformer& model, KernelFusion kernels, double bytes, std::int64_t tensor) {
    const LayerCopies counted = layer_copies(model, kernels, bytes, tensor);
    if (!model.activation_copies || kernels == KernelFusion::fused)
        return counted;
    const double scale = *model.activation_copies / counted.total();
    return {counted.replicated * scale, counted.divided * scale};
}

/// What operator-selective recompute keeps: the layer's input, the attention core's output and, of
/// the products in their order (query, key, value, output, gate, up, down), every second one from
/// the first (torchtitan, distributed/activation_checkpoint.py, read 2026-11).
LayerCopies operator_copies(const Transformer& model, std::int64_t tensor) {
    const double query = real(model.heads * model.head_dim) / real(model.hidden);
    const double value = key_copies(model, tensor);
    const double inner = inner_width(model) / real(model.hidden);
    if (model.experts) {
        // Megatron-Core's modules: latent heads are made again, copied tokens and the experts'
        // first product are kept, their activation is not.
        const double heads = model.latent
                                 ? real(model.heads * model.latent->value_dim) / real(model.hidden)
                                 : 2 * query + 2 * value;
        return {2, heads + real(model.experts->per_token) + real(model.ffn_matrices - 1) * inner};
    }
    const double down = model.ffn_matrices == 3 ? 1 : 0; // the seventh product, else the sixth
    return {1 + down, 2 * query + value + inner};
}

/// Softmax output, and under dropout its mask and its output: 2 or 5 a s^2 b bytes.
double score_bytes(const TrainingJob& job, double bytes) {
    const double keys = real(job.sequence);
    const double per_score = job.model.dropout ? 2 * bytes + 1 : bytes;
    return per_score * real(job.model.heads) * tokens(job) * keys / real(job.layout.tensor);
}

/// Transformer Engine keeps inputs of products in their 8 or 4 bits (module/linear.py). The
/// attention core keeps its output in 16 bits, so that is kept twice. Compiled jobs multiply with
/// torchao, which keeps 16 bits. Mixtures are left as they are: nothing was read of their products.
void keep_converted_inputs(const TrainingJob& job, LayerCopies& copies) {
    if (job.model.experts || job.compilation == Compilation::compiled || !is_small(job.precision))
        return;
    const double share = job.precision == Precision::nvfp4 ? (0.5 + 1 / 16.0) / 2 : 0.5;
    const double output = real(job.model.heads * job.model.head_dim) / real(job.model.hidden);
    const double inner = real(job.model.ffn) / real(job.model.hidden);
    copies.replicated -= 2 * (1 - share);
    copies.divided += output * share - inner * (1 - share);
}

/// Gradients alive in the backward pass of a layer: of the residual stream, of the block's input
/// and of the widest inner tensor.
double gradient_bytes(const TrainingJob& job, double bytes) {
    return bytes * tokens(job) *
           (2 * real(job.model.hidden) + inner_width(job.model) / real(job.layout.tensor));
}

} // namespace

bool is_small(Precision precision) {
    return precision == Precision::fp8 || precision == Precision::mxfp8 ||
           precision == Precision::nvfp4;
}

LayerCopies
layer_copies(const Transformer& model, KernelFusion kernels, double bytes, std::int64_t tensor) {
    return kernels == KernelFusion::fused ? fused_copies(model, bytes, tensor)
                                          : eager_copies(model, bytes, tensor);
}

LayerActivations layer_activations(const TrainingJob& job, KernelFusion kernels) {
    const double bytes = number_bytes(job.precision);
    LayerCopies copies = kept_copies(job.model, kernels, bytes, job.layout.tensor);
    if (kernels == KernelFusion::fused)
        keep_converted_inputs(job, copies);
    const double copy = bytes * tokens(job) * real(job.model.hidden);
    const double tensor = real(job.layout.tensor);
    const double shared_by = job.layout.sequence_parallel ? tensor : 1;
    const auto shared = [&](const LayerCopies& kept) {
        return copy * (kept.replicated / shared_by + kept.divided / tensor);
    };
    const double linear = shared(copies);
    const double scores = writes_scores(job) ? score_bytes(job, bytes) : 0;
    const double gradients = gradient_bytes(job, bytes);
    const ByteVolume whole{linear + scores};
    switch (job.layout.recompute.what) {
    case Recompute::none:
        return {whole, whole, ByteVolume{gradients}};
    case Recompute::selective:
        return {ByteVolume{linear}, whole, ByteVolume{scores + gradients}};
    case Recompute::operators: {
        const double kept = std::min(linear, shared(operator_copies(job.model, job.layout.tensor)));
        return {ByteVolume{kept}, whole, ByteVolume{linear - kept + scores + gradients}};
    }
    case Recompute::full:
        return {ByteVolume{copy / shared_by}, whole, ByteVolume{linear + scores + gradients}};
    }
    return {};
}

double layers_in_flight(std::int64_t layers, const Layout& layout, std::int64_t stage) {
    return real(layers_per_stage(layers, layout.pipeline)) * micro_batches_in_flight(layout, stage);
}

BoundaryActivations boundary_activations(const TrainingJob& job) {
    const double bytes = number_bytes(job.precision);
    const double states = tokens(job) * real(job.model.hidden) /
                          (job.layout.sequence_parallel ? real(job.layout.tensor) : 1);
    return {ByteVolume{(job.model.dropout ? states : 0) + 8 * tokens(job)},
            ByteVolume{2 * bytes * states}};
}

ByteVolume logit_memory(const TrainingJob& job, const MemoryOverheads& overheads) {
    const double vocabulary = real(job.model.vocab) / real(job.layout.tensor);
    const double all = tokens(job) * vocabulary * overheads.logit_bytes;
    if (!overheads.chunked_loss)
        return ByteVolume{all};
    // Liger: as many chunks as the vocabulary is wider than the hidden state, the output matrix's
    // gradient, and one chunk's share of it in 16 and 32 bits; the gradient of the hidden state.
    const double chunks = std::ceil(real(job.model.vocab) / real(job.model.hidden));
    return ByteVolume{all / chunks + (2 + 2 + 4) * vocabulary * real(job.model.hidden) +
                      2 * tokens(job) * real(job.model.hidden)};
}

}} // namespace bursar::models
