#pragma once

#include "models/scaling/loss_surface.hpp"

/// Training a smaller model for longer than compute-optimal, because every token it will serve
/// costs 2 N. Source: Sardana et al. 2024, arXiv 2401.00448.
namespace bursar { inline namespace models {

/// The run that ends at the loss `target` with the least 6 N D + 2 N D_served. served: tokens the
/// model will read and write in its life, >= 0; none gives cheapest_for_loss().
/// Throws ModelError when target <= E or served is negative.
[[nodiscard]] Allocation
inference_aware_optimal(const LossSurface& surface, double target, Tokens served);

/// 6 N D + 2 N D_served.
[[nodiscard]] Flops lifetime_flops(const Allocation& run, Tokens served);

/// The cost of compute in one phase of a model's life.
struct ComputePrice {
    double usd_per_gpu_hour{}; ///< > 0
    FlopRate peak{};           ///< of that GPU, > 0
    double utilisation{};      ///< of the peak (MFU), 0..1

    /// Both throw ModelError for a price, peak or utilisation that is not > 0, or a utilisation
    /// above 1.
    [[nodiscard]] double gpu_hours(Flops work) const;
    [[nodiscard]] double usd(Flops work) const;
};

/// Tokens a model will serve, and the price of serving them. Reading a prompt has a higher
/// utilisation than writing an answer token by token, so the two have separate values.
struct ServingDemand {
    Tokens read;    ///< prompt tokens, >= 0
    Tokens written; ///< generated tokens, >= 0
    ComputePrice reading;
    ComputePrice writing;
};

/// The dollar form of Sardana et al.: training costs 6 N D at `training`, serving costs 2 N per
/// token at its own price. It is the FLOP form with served tokens weighted by the cost of serving
/// over that of training; this returns the weighted tokens. The form is [unverified] against the
/// paper.
/// Throws ModelError unless prices, peaks and utilisations are > 0 (and at most 1).
[[nodiscard]] Tokens price_weighted_tokens(const ServingDemand& demand,
                                           const ComputePrice& training);

}} // namespace bursar::models
