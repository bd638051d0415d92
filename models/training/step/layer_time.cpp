#include "models/training/step/layer_time.hpp"

#include <cmath>

#include "models/training/job/flops.hpp"
#include "models/training/step/attention_core.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

namespace {

Seconds run(const TrainingRank& rank, Collective kind, double numbers, CommGroup group) {
    const ByteVolume volume{rank.precision.element_bytes * numbers};
    return collective_time(kind, volume, group, rank.cluster.tree, rank.tuning);
}

bool has_expert_traffic(const TrainingRank& rank) {
    return rank.job.model.experts && rank.expert_group.size > 1;
}

// A token is sent once to every node that has an expert of it, and copied there: k experts lie on n
// (1 - (1 - 1/n)^k) of n nodes on average.
double copies_sent(const TrainingRank& rank) {
    const double experts = real(rank.job.model.experts->per_token);
    const double nodes =
        real(rank.expert_group.size * rank.expert_group.stride) / real(rank.cluster.gpus_per_node);
    return nodes > 1 ? nodes * (1 - std::pow(1 - 1 / nodes, experts)) : experts;
}

// Exposed collectives of one layer's forward pass; zero for a group of one.

// Two all-reduces of T h numbers, or the same volume as reduce-scatter and all-gather around the
// sequence-parallel parts; the profile's share is hidden (FORMULAS 4.7).
Seconds tensor_comm_time(const TrainingRank& rank) {
    const double numbers = rank.tokens * real(rank.job.model.hidden);
    const auto one = [&](Collective kind) { return run(rank, kind, numbers, rank.tensor_group); };
    const Seconds once = rank.job.layout.sequence_parallel
                             ? one(Collective::reduce_scatter) + one(Collective::all_gather)
                             : one(Collective::all_reduce);
    return 2.0 * once * (1 - rank.profile.tensor_overlap);
}

// Keys and values of the whole sequence, gathered before the attention core (FORMULAS 4.10).
Seconds context_comm_time(const TrainingRank& rank) {
    const Transformer& model = rank.job.model;
    const double width =
        2 * real(held_kv_heads(model, rank.job.layout.tensor) * model.head_dim) / rank.tensor;
    const double tokens = real(rank.job.layout.micro_batch) * real(rank.job.sequence);
    return run(rank, Collective::all_gather, tokens * width, rank.context_group);
}

// Dispatch and combine: an all-to-all each of the tokens of the busiest rank (FORMULAS 4.10).
Seconds expert_comm_time(const TrainingRank& rank) {
    if (!has_expert_traffic(rank))
        return {};
    const double tokens = rank.tokens / (rank.job.layout.sequence_parallel ? rank.tensor : 1);
    const double numbers =
        tokens * copies_sent(rank) * real(rank.job.model.hidden) * rank.job.expert_imbalance;
    return 2.0 * expert_layer_share(rank.job.model) * (1 - rank.profile.expert_overlap) *
           run(rank, Collective::all_to_all, numbers, rank.expert_group);
}

// Collectives that the host launches in a pass.
double collectives_per_pass(const TrainingRank& rank) {
    double count = 0;
    if (rank.tensor_group.size > 1)
        count += rank.job.layout.sequence_parallel ? 4 : 2;
    if (rank.context_group.size > 1)
        count += 1;
    if (has_expert_traffic(rank))
        count += 2;
    return count;
}

// Forward kernels, and the products of their backward pass: one for the gradient of the input, one
// for that of the weights, each with its own tiles.
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
    const double h = real(rank.job.model.hidden);
    const double up = real(rank.job.model.ffn_matrices - 1);
    const double width = ffn / rank.tensor;
    return linear_layer(rank, tokens, h, up * width, groups) +
           linear_layer(rank, tokens, width, h, groups);
}

// Tokens that the busiest rank's experts receive.
double routed_tokens(const TrainingRank& rank) {
    return rank.tokens * real(rank.job.model.experts->per_token) * rank.job.expert_imbalance;
}

Seconds moving(const TrainingRank& rank, double numbers) {
    return ByteVolume{rank.precision.element_bytes * numbers} / rank.memory;
}

// Of tokens to their experts' order and back.
Seconds copying_time(const TrainingRank& rank) {
    return moving(rank,
                  rank.profile.expert_traffic * routed_tokens(rank) * real(rank.job.model.hidden));
}

// Every rank holds count / e experts and receives T k tokens in all, so one expert's product has
// T k e / count rows; the busiest rank has more by the imbalance. Tokens are copied to their
// experts' order and back, k times each; bias, activation and the weights of the router pass over
// the k inner tensors.
LinearTime expert_layer(const TrainingRank& rank, const Experts& experts) {
    const double local = real(experts.count) / real(rank.job.layout.expert);
    const double routed = routed_tokens(rank);
    LinearTime time = feed_forward(rank, routed / local, real(experts.ffn), local);
    const double inner = rank.profile.expert_inner_traffic * rank.traffic_share * routed *
                         real(experts.ffn) / rank.tensor;
    time.forward.memory_bound += copying_time(rank) + moving(rank, inner);
    if (experts.shared_ffn > 0)
        time += feed_forward(rank, rank.tokens, real(experts.shared_ffn));
    const MatrixProduct router{rank.tokens, real(experts.count), real(rank.job.model.hidden)};
    time.forward.gemm += gemm_time(router, rank.core);
    time.gradients += gradient_products(router, rank.core);
    return time;
}

Seconds core_time(const TrainingRank& rank) {
    const Transformer& model = rank.job.model;
    const Layout& layout = rank.job.layout;
    const AttentionShape shape{real(layout.micro_batch),
                               real(rank.job.sequence) / real(layout.context),
                               attended_tokens(model, rank.job.sequence),
                               real(model.heads) / rank.tensor,
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
// parallel divides: for a GELU layer with f = 4h those are 5h on average h. Routed experts count
// their own (expert_layer).
Seconds elementwise_time(const TrainingRank& rank) {
    const Transformer& model = rank.job.model;
    const double h = real(model.hidden);
    const double share = expert_layer_share(model);
    const double shared = model.experts ? real(model.experts->shared_ffn) : 0;
    const double ffn = share * shared + (1 - share) * real(model.ffn);
    const double width =
        (real(model.heads * model.head_dim) + real(model.ffn_matrices - 1) * ffn) / 5;
    const double sequence = rank.job.layout.sequence_parallel ? rank.tensor : 1;
    const double numbers = rank.profile.residual_traffic * h / sequence +
                           rank.profile.tensor_traffic * width / rank.tensor;
    return ByteVolume{rank.precision.element_bytes * rank.tokens * numbers * rank.traffic_share} /
           rank.memory;
}

// The heads' queries, keys and values of the short vectors.
LinearTime latent_heads(const TrainingRank& rank, const LatentAttention& latent) {
    const Transformer& model = rank.job.model;
    const double heads = real(model.heads) / rank.tensor;
    const double keys = real(model.head_dim - latent.rotary_dim + latent.value_dim);
    return linear_layer(rank, rank.tokens, real(latent.query_rank), heads * real(model.head_dim)) +
           linear_layer(rank, rank.tokens, real(latent.key_rank), heads * keys);
}

// Queries, keys and values, and the output. Latent: first the short vectors, which every tensor
// rank computes whole, then the heads.
LinearTime attention_layers(const TrainingRank& rank) {
    const Transformer& model = rank.job.model;
    const double h = real(model.hidden);
    const double heads = real(model.heads) / rank.tensor;
    const double tokens = rank.tokens;
    if (const auto& latent = model.latent)
        return linear_layer(rank, tokens, h, real(latent->query_rank)) +
               linear_layer(rank, tokens, h, real(latent->key_rank + latent->rotary_dim)) +
               latent_heads(rank, *latent) +
               linear_layer(rank, tokens, heads * real(latent->value_dim), h);
    const std::int64_t kv_heads = held_kv_heads(model, rank.job.layout.tensor);
    const double all = real(model.heads + 2 * kv_heads) * real(model.head_dim) / rank.tensor;
    return linear_layer(rank, tokens, h, all) +
           linear_layer(rank, tokens, heads * real(model.head_dim), h);
}

// For the mean layer, if the first ones have no experts.
LinearTime feed_forward_layers(const TrainingRank& rank) {
    const Transformer& model = rank.job.model;
    const double share = expert_layer_share(model);
    LinearTime time;
    if (share < 1)
        time += (1 - share) * feed_forward(rank, rank.tokens, real(model.ffn));
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

// Entries of the output matrix on one rank. Stacks fill it up with unused ones, since products of
// odd sizes are slow. Source: Megatron-LM --make-vocab-size-divisible-by (128, times the tensor
// ranks); nanoGPT and MosaicML round to 64 and 128.
double padded_vocabulary(double entries) {
    constexpr double multiple = 128;
    return multiple * std::ceil(entries / multiple);
}

// Gradients of input and weights: two products for each and twice the traffic. Each collective has
// one counterpart, but keys and values have two: they are gathered again and their gradients sent
// back.
KernelTime backward_of(const LinearTime& layer, Attention attention) {
    const KernelTime& forward = layer.forward;
    return {layer.gradients,
            attention_backward_factor(attention) * forward.attention,
            2.0 * forward.memory_bound,
            forward.tensor_comm,
            2.0 * forward.context_comm,
            forward.expert_comm};
}

// Of a mixture, the modules of Megatron-Core's selective recompute that cost little: two norms, the
// heads made of latent vectors, and the activation, all of whose operands are read and its result
// written. Copied and sent tokens are kept, and few kernels launched.
PassTime modules_again(const TrainingRank& rank) {
    const Transformer& model = rank.job.model;
    const double norms = 4 * rank.tokens * real(model.hidden) /
                         (rank.job.layout.sequence_parallel ? rank.tensor : 1);
    const double inner = routed_tokens(rank) * real(model.experts->ffn) +
                         rank.tokens * real(model.experts->shared_ffn);
    PassTime again;
    if (model.latent)
        again.kernels.gemm = latent_heads(rank, *model.latent).forward.gemm;
    again.kernels.memory_bound =
        moving(rank, norms + real(model.ffn_matrices) * inner / rank.tensor);
    return again;
}

// Of others, kept: the attention core, every second product, and reduce-scattered activations.
PassTime operators_again(const TrainingRank& rank, const PassTime& forward) {
    if (rank.job.model.experts)
        return modules_again(rank);
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
    const Recomputation& again = rank.job.layout.recompute;
    if (again.what == Recompute::full) {
        const double share = 1.0 / static_cast<double>(again.every);
        time.recomputed = {share * time.forward.kernels, share * time.forward.host};
    }
    if (again.what == Recompute::selective)
        time.recomputed.kernels.attention = forward.attention;
    if (again.what == Recompute::operators)
        time.recomputed = operators_again(rank, time.forward);
    return time;
}

namespace {

/// Bytes per logit of Megatron's cross entropy without fusion: to fp32 6, maximum 4, minus it 8,
/// exponential 8, sum 4, divided by it 8; backward times the gradient 8, to 16 bits 6
/// (megatron/core/tensor_parallel/cross_entropy.py).
constexpr double unfused_loss_traffic = 52;

} // namespace

LayerTime logits_time(const TrainingRank& rank) {
    const auto hidden = static_cast<double>(rank.job.model.hidden);
    const double vocab = padded_vocabulary(real(rank.job.model.vocab) / rank.tensor);
    const StackProfile& profile = rank.profile;
    const Seconds product =
        gemm_time({rank.tokens, vocab, hidden}, rank.core) / profile.logits_efficiency;
    const double per_logit = rank.job.unfused_loss ? unfused_loss_traffic : profile.logits_traffic;
    const double bytes = per_logit * rank.traffic_share * rank.tokens * vocab;
    const Seconds loss = ByteVolume{bytes} / rank.memory;
    const Seconds host = profile.host_micro_batch * rank.host_share;
    LayerTime time;
    time.forward.kernels.gemm = product;
    time.backward.kernels.gemm = 2.0 * product;
    time.forward.kernels.memory_bound = time.backward.kernels.memory_bound = 0.5 * loss;
    time.forward.host = time.backward.host = 0.5 * host;
    const ByteVolume gradient{rank.precision.element_bytes * rank.tokens * hidden};
    time.backward.kernels.tensor_comm = collective_time(
        Collective::all_reduce, gradient, rank.tensor_group, rank.cluster.tree, rank.tuning);
    return time;
}

}} // namespace bursar::models
