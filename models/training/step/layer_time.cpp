#include "models/training/step/layer_time.hpp"

#include "models/training/step/attention_core.hpp"
#include "models/training/step/layer_comm.hpp"

namespace bursar::inline models {
namespace {

double d(std::int64_t count) {
    return static_cast<double>(count);
}

// A linear layer: the product and, for fp8, converting its input.
KernelTime linear_layer(const TrainingRank& rank, double tokens, double in, double out) {
    KernelTime time;
    time.gemm = gemm_time({tokens, out, in}, rank.linear);
    time.memory_bound = ByteVolume{rank.precision.cast_bytes * tokens * in} / rank.memory;
    return time;
}

KernelTime feed_forward(const TrainingRank& rank, double tokens, double ffn) {
    const double h = d(rank.job.model.hidden);
    const double up = d(rank.job.model.ffn_matrices - 1);
    const double width = ffn / rank.tensor;
    return linear_layer(rank, tokens, h, up * width) + linear_layer(rank, tokens, width, h);
}

// Every rank holds count / e experts and receives T k tokens in all, so one expert's product has
// T k e / count rows; the busiest rank has more by the imbalance.
KernelTime expert_layer(const TrainingRank& rank, const Experts& experts) {
    const double local = d(experts.count) / d(rank.job.layout.expert);
    const double routed = rank.tokens * d(experts.per_token) * rank.job.expert_imbalance;
    KernelTime time = local * feed_forward(rank, routed / local, d(experts.ffn));
    if (experts.shared_ffn > 0)
        time += feed_forward(rank, rank.tokens, d(experts.shared_ffn));
    time.gemm += gemm_time({rank.tokens, d(experts.count), d(rank.job.model.hidden)}, rank.core);
    return time;
}

Seconds core_time(const TrainingRank& rank) {
    const Transformer& model = rank.job.model;
    const Layout& layout = rank.job.layout;
    const AttentionShape shape{d(layout.micro_batch),
                               d(rank.job.sequence) / d(layout.context),
                               d(rank.job.sequence),
                               d(model.heads) / rank.tensor,
                               d(model.head_dim),
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
    const double ffn = model.experts ? d(model.experts->per_token) * d(model.experts->ffn) +
                                           d(model.experts->shared_ffn)
                                     : d(model.ffn);
    const double width = (d(model.heads * model.head_dim) + d(model.ffn_matrices - 1) * ffn) / 5;
    const double sequence = rank.job.layout.sequence_parallel ? rank.tensor : 1;
    const double numbers = rank.profile.residual_traffic * h / sequence +
                           rank.profile.tensor_traffic * width / rank.tensor;
    return ByteVolume{rank.precision.element_bytes * rank.tokens * numbers * rank.traffic_share} /
           rank.memory;
}

KernelTime layer_kernels(const TrainingRank& rank) {
    const Transformer& model = rank.job.model;
    const double h = d(model.hidden);
    const double heads = d(model.heads + 2 * model.kv_heads) * d(model.head_dim) / rank.tensor;
    KernelTime time = linear_layer(rank, rank.tokens, h, heads);
    time += linear_layer(rank, rank.tokens, d(model.heads * model.head_dim) / rank.tensor, h);
    time += model.experts ? expert_layer(rank, *model.experts)
                          : feed_forward(rank, rank.tokens, d(model.ffn));
    time.attention = core_time(rank);
    time.memory_bound += elementwise_time(rank) + rank.profile.kernel_overhead * rank.traffic_share;
    time.tensor_comm = tensor_comm_time(rank);
    time.context_comm = context_comm_time(rank);
    time.expert_comm = expert_comm_time(rank);
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

// Gradients of input and weights: twice the products and the traffic; a collective has one
// counterpart, but keys and values travel there and their gradients back.
KernelTime backward_of(const KernelTime& forward, Attention attention) {
    return {2.0 * forward.gemm,
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
    const KernelTime forward = layer_kernels(rank);
    const StackProfile& profile = rank.profile;
    const Seconds collectives = collectives_per_pass(rank) * profile.host_collective;
    LayerTime time;
    const Seconds softmax = softmax_fuses(rank) ? Seconds{} : profile.host_softmax;
    time.forward = {forward, (profile.host_forward + softmax + collectives) * rank.host_share};
    time.backward = {backward_of(forward, rank.job.attention),
                     (profile.host_backward + softmax + collectives) * rank.host_share};
    if (rank.job.layout.recompute == Recompute::full)
        time.recomputed = time.forward;
    if (rank.job.layout.recompute == Recompute::selective)
        time.recomputed.kernels.attention = forward.attention;
    if (rank.job.layout.recompute == Recompute::operators)
        time.recomputed = operators_again(time.forward);
    return time;
}

} // namespace bursar::inline models
