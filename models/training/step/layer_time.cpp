#include "models/training/step/layer_time.hpp"

#include "models/training/flops.hpp"
#include "models/training/step/attention_core.hpp"
#include "models/training/step/layer_comm.hpp"

namespace bursar { inline namespace models {
namespace {

double d(std::int64_t count) {
    return static_cast<double>(count);
}

// Forward kernels, and the products of their backward pass: one for the gradient of the input, one
// for that of the weights, each with tiles of its own.
struct LinearTime {
    KernelTime forward;
    Seconds gradients;

    LinearTime& operator+=(const LinearTime& other) {
        forward += other.forward;
        gradients += other.gradients;
        return *this;
    }
    friend LinearTime operator+(LinearTime a, const LinearTime& b) { return a += b; }
    friend LinearTime operator*(double n, const LinearTime& time) {
        return {n * time.forward, n * time.gradients};
    }
};

Seconds gradient_products(const MatrixProduct& forward, const MatrixUnit& unit) {
    const auto [tokens, out, in, groups] = forward;
    return gemm_time({tokens, in, out, groups}, unit) + gemm_time({in, out, tokens, groups}, unit);
}

// A linear layer, or one of each of `groups` experts: the product and, for fp8, converting its
// input. tokens: of one of them.
LinearTime
linear_layer(const TrainingRank& rank, double tokens, double in, double out, double groups = 1) {
    const MatrixProduct product{tokens, out, in, groups};
    LinearTime time;
    time.forward.gemm = gemm_time(product, rank.linear);
    time.forward.memory_bound =
        ByteVolume{rank.precision.cast_bytes * groups * tokens * in} / rank.memory;
    time.gradients = gradient_products(product, rank.linear);
    return time;
}

LinearTime feed_forward(const TrainingRank& rank, double tokens, double ffn, double groups = 1) {
    const double h = d(rank.job.model.hidden);
    const double up = d(rank.job.model.ffn_matrices - 1);
    const double width = ffn / rank.tensor;
    return linear_layer(rank, tokens, h, up * width, groups) +
           linear_layer(rank, tokens, width, h, groups);
}

// Every rank holds count / e experts and receives T k tokens in all, so one expert's product has
// T k e / count rows; the busiest rank has more by the imbalance. Tokens are copied to their
// experts' order and back, k times each.
LinearTime expert_layer(const TrainingRank& rank, const Experts& experts) {
    const double local = d(experts.count) / d(rank.job.layout.expert);
    const double routed = rank.tokens * d(experts.per_token) * rank.job.expert_imbalance;
    LinearTime time = feed_forward(rank, routed / local, d(experts.ffn), local);
    const double copied = rank.profile.expert_traffic * routed * d(rank.job.model.hidden);
    time.forward.memory_bound += ByteVolume{rank.precision.element_bytes * copied} / rank.memory;
    if (experts.shared_ffn > 0)
        time += feed_forward(rank, rank.tokens, d(experts.shared_ffn));
    const MatrixProduct router{rank.tokens, d(experts.count), d(rank.job.model.hidden)};
    time.forward.gemm += gemm_time(router, rank.core);
    time.gradients += gradient_products(router, rank.core);
    return time;
}

Seconds core_time(const TrainingRank& rank) {
    const Transformer& model = rank.job.model;
    const Layout& layout = rank.job.layout;
    const AttentionShape shape{d(layout.micro_batch),
                               d(rank.job.sequence) / d(layout.context),
                               attended_tokens(model, rank.job.sequence),
                               d(model.heads) / rank.tensor,
                               score_dim(model),
                               model.causal};
    const StackProfile& profile = rank.profile;
    return attention_core_time(shape,
                               rank.job.attention,
                               rank.core,
                               {profile.unfused_attention_efficiency,
                                profile.softmax_traffic * rank.traffic_share,
                                profile.flash_efficiency},
                               supports(rank.cluster.gpu, Precision::fp8));
}

// Norms, residuals and dropout on T h numbers; activations and transposes on the widths that tensor
// parallel divides: for a GELU layer with f = 4h those are 5h on average h.
Seconds elementwise_time(const TrainingRank& rank) {
    const Transformer& model = rank.job.model;
    const double h = d(model.hidden);
    const double share = expert_layer_share(model);
    const double mixed = model.experts ? d(model.experts->per_token) * d(model.experts->ffn) +
                                             d(model.experts->shared_ffn)
                                       : 0;
    const double ffn = share * mixed + (1 - share) * d(model.ffn);
    const double width = (d(model.heads * model.head_dim) + d(model.ffn_matrices - 1) * ffn) / 5;
    const double sequence = rank.job.layout.sequence_parallel ? rank.tensor : 1;
    const double numbers = rank.profile.residual_traffic * h / sequence +
                           rank.profile.tensor_traffic * width / rank.tensor;
    return ByteVolume{rank.precision.element_bytes * rank.tokens * numbers * rank.traffic_share} /
           rank.memory;
}

// Queries, keys and values, and the output. Latent: first the short vectors, which every tensor
// rank makes whole, then the heads of them.
LinearTime attention_layers(const TrainingRank& rank) {
    const Transformer& model = rank.job.model;
    const double h = d(model.hidden);
    const double heads = d(model.heads) / rank.tensor;
    const double tokens = rank.tokens;
    if (const auto& latent = model.latent) {
        const double keys = d(model.head_dim - latent->rotary_dim + latent->value_dim);
        return linear_layer(rank, tokens, h, d(latent->query_rank)) +
               linear_layer(rank, tokens, h, d(latent->key_rank + latent->rotary_dim)) +
               linear_layer(rank, tokens, d(latent->query_rank), heads * d(model.head_dim)) +
               linear_layer(rank, tokens, d(latent->key_rank), heads * keys) +
               linear_layer(rank, tokens, heads * d(latent->value_dim), h);
    }
    const double all = d(model.heads + 2 * model.kv_heads) * d(model.head_dim) / rank.tensor;
    return linear_layer(rank, tokens, h, all) +
           linear_layer(rank, tokens, heads * d(model.head_dim), h);
}

// Of the mean layer, where the first ones have no experts.
LinearTime feed_forward_layers(const TrainingRank& rank) {
    const Transformer& model = rank.job.model;
    const double share = expert_layer_share(model);
    LinearTime time;
    if (share < 1)
        time += (1 - share) * feed_forward(rank, rank.tokens, d(model.ffn));
    if (model.experts)
        time += share * expert_layer(rank, *model.experts);
    return time;
}

LinearTime layer_kernels(const TrainingRank& rank) {
    LinearTime time = attention_layers(rank) + feed_forward_layers(rank);
    KernelTime& forward = time.forward;
    forward.attention = core_time(rank);
    forward.memory_bound +=
        elementwise_time(rank) + rank.profile.kernel_overhead * rank.traffic_share;
    forward.tensor_comm = tensor_comm_time(rank);
    forward.context_comm = context_comm_time(rank);
    forward.expert_comm = expert_comm_time(rank);
    return time;
}

// Unfused attention still has one kernel for scale, mask and softmax, which takes four (sequence,
// head) pairs at a time; other shapes launch them one by one. Source: Megatron-LM
// fused_softmax.py, is_kernel_available.
bool softmax_fuses(const TrainingRank& rank) {
    const Layout& layout = rank.job.layout;
    const std::int64_t pairs = layout.micro_batch * rank.job.model.heads / layout.tensor;
    return rank.job.attention != Attention::unfused || pairs % 4 == 0;
}

// Gradients of input and weights: two products for each and twice the traffic; a collective has one
// counterpart, but keys and values travel there and their gradients back.
KernelTime backward_of(const LinearTime& layer, Attention attention) {
    const KernelTime& forward = layer.forward;
    return {layer.gradients,
            attention_backward_factor(attention) * forward.attention,
            2.0 * forward.memory_bound,
            forward.tensor_comm,
            2.0 * forward.context_comm,
            forward.expert_comm};
}

// Kept: the attention core, every second product, and what is reduced and scattered.
PassTime operators_again(const PassTime& forward) {
    PassTime again = forward;
    again.kernels.gemm = 0.5 * forward.kernels.gemm;
    again.kernels.attention = {};
    again.kernels.tensor_comm = 0.5 * forward.kernels.tensor_comm;
    return again;
}

} // namespace

LayerTime layer_time(const TrainingRank& rank) {
    const LinearTime layer = layer_kernels(rank);
    const KernelTime& forward = layer.forward;
    const StackProfile& profile = rank.profile;
    const Seconds collectives = collectives_per_pass(rank) * profile.host_collective;
    LayerTime time;
    const Seconds extra = (softmax_fuses(rank) ? Seconds{} : profile.host_softmax) +
                          expert_layer_share(rank.job.model) * profile.host_experts;
    time.forward = {forward, (profile.host_forward + extra + collectives) * rank.host_share};
    time.backward = {backward_of(layer, rank.job.attention),
                     (profile.host_backward + extra + collectives) * rank.host_share};
    if (rank.job.layout.recompute == Recompute::full)
        time.recomputed = time.forward;
    if (rank.job.layout.recompute == Recompute::selective)
        time.recomputed.kernels.attention = forward.attention;
    if (rank.job.layout.recompute == Recompute::operators)
        time.recomputed = operators_again(time.forward);
    return time;
}

}} // namespace bursar::models
