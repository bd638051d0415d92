#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/diff/diff_figure.hpp"
#include "reports/repeats/mean_difference.hpp"
#include "reports/result/result.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {

/// How the runs of two results go together.
enum class SeedPairing : std::uint8_t {
    single,   ///< one seed each
    paired,   ///< the same seeds, and it is known what each came to
    unpaired, ///< several each, and not in pairs
    one_sided ///< one has several, the other a single one
};

[[nodiscard]] SeedPairing pairing_of(const Result& base, const Result& fresh);

/// A scalar of two results in millionths; means over their seeds where they have several.
struct DiffMetric {
    const ScalarRow* row{};
    DiffFigure figure;
    std::optional<MeanDifference> over_seeds{}; ///< absent: one seed each, or nothing to compare
};

/// Every scalar, in the order of the table.
[[nodiscard]] std::vector<DiffMetric> compared_metrics(const Result& base, const Result& fresh);

/// What their figures are of; empty for SeedPairing::single.
[[nodiscard]] std::string seeds_note(const Result& base,
                                     const Result& fresh,
                                     const std::string& base_name,
                                     const std::string& fresh_name);

/// ", seed 7": the seed of the figures that are no means; empty for SeedPairing::single.
[[nodiscard]] std::string first_seed_title(const Result& base, const Result& fresh);

/// The 95 % interval of a change: "-0.20 .. +14.80"; "-": there is none.
[[nodiscard]] std::string interval_text(const DiffMetric& metric);

}} // namespace bursar::reports
