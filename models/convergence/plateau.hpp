#pragma once

#include <cstdint>
#include <optional>
#include <span>

/// Early stopping on a modelled loss curve.
namespace bursar {

/// l(k) = l_inf + c k^-gamma at evaluation k = 1, 2, ...
struct LossCurve {
    double limit{};    ///< l_inf
    double distance{}; ///< c = l(1) - l_inf, > 0
    double decay{};    ///< gamma, > 0

    /// evaluation: >= 1 (asserted).
    [[nodiscard]] double at(std::int64_t evaluation) const;
};

/// Stop at the first evaluation by which the best loss has improved by less than `min_delta` over
/// the last `patience` evaluations.
struct PlateauRule {
    std::int64_t patience{}; ///< >= 1
    double min_delta{};      ///< in the units of the loss, > 0
};

/// The evaluation at which a noise-free curve stops; absent beyond `last`.
/// Throws ModelError unless distance, decay, min_delta > 0 and patience >= 1.
[[nodiscard]] std::optional<std::int64_t>
plateau_stop(const LossCurve& curve, const PlateauRule& rule, std::int64_t last);

/// The same with noise[k - 1] added to l(k), for as many evaluations as there is noise.
[[nodiscard]] std::optional<std::int64_t>
plateau_stop(const LossCurve& curve, const PlateauRule& rule, std::span<const double> noise);

} // namespace bursar
