#include "models/training/step/logits_time.hpp"

namespace bursar { inline namespace models {

LayerTime logits_time(const TrainingRank& rank) {
    const auto hidden = static_cast<double>(rank.job.model.hidden);
    const double vocab = static_cast<double>(rank.job.model.vocab) / rank.tensor;
    const StackProfile& profile = rank.profile;
    const Seconds product =
        gemm_time({rank.tokens, vocab, hidden}, rank.core) / profile.logits_efficiency;
    const double bytes = profile.logits_traffic * rank.traffic_share * rank.tokens * vocab;
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
