#include "reports/diff/diff_seeds.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "reports/scalars/scalar_text.hpp"
#include "reports/summary/uncertainty.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

bool is_repeated(const Result& result) {
    return result.repeats && result.repeats->n > 1;
}

bool knows_each_seed(const Repeats& repeats) {
    return std::ranges::all_of(repeats.scalars, [&](const RepeatedScalar& scalar) {
        return scalar.by_seed.size() == repeats.n;
    });
}

bool has_same_seeds(const Result& base, const Result& fresh) {
    return base.run.seed == fresh.run.seed && base.repeats->n == fresh.repeats->n;
}

/// A scalar over the seeds of a result, or its only value; an older result may not have it.
RepeatedScalar
scalar_of(const Result& result, const std::string& name, const std::optional<double>& single) {
    if (is_repeated(result)) {
        const auto found = std::ranges::find(result.repeats->scalars, name, &RepeatedScalar::name);
        return found == result.repeats->scalars.end() ? RepeatedScalar{} : *found;
    }
    return single ? over_runs(name, std::vector{*single}) : RepeatedScalar{};
}

std::optional<double> mean_of(const RepeatedScalar& scalar) {
    return scalar.n > 0 ? std::optional{scalar.mean} : std::nullopt;
}

MeanDifference difference_of(const RepeatedScalar& base,
                             const RepeatedScalar& fresh,
                             SeedPairing pairing,
                             SeedValues values) {
    const bool has_pairs = pairing == SeedPairing::paired && !base.by_seed.empty() &&
                           base.by_seed.size() == fresh.by_seed.size();
    if (has_pairs && base.n > 1 && !base.ci_low)
        return paired_difference(pairs_of(base.by_seed, fresh.by_seed), values, SeedsDraw::samples);
    return has_pairs ? paired_difference(pairs_of(base.by_seed, fresh.by_seed), values)
                     : unpaired_difference(base, fresh);
}

/// "seeds 7 to 11", "seed 7".
std::string seeds_text(const Result& result) {
    if (!is_repeated(result))
        return fmt::format("seed {}", result.run.seed);
    return fmt::format("seeds {} to {}", result.run.seed, result.run.seed + result.repeats->n - 1);
}

} // namespace

SeedPairing pairing_of(const Result& base, const Result& fresh) {
    if (!is_repeated(base) && !is_repeated(fresh))
        return SeedPairing::single;
    if (!is_repeated(base) || !is_repeated(fresh))
        return SeedPairing::one_sided;
    return has_same_seeds(base, fresh) && knows_each_seed(*base.repeats) &&
                   knows_each_seed(*fresh.repeats)
               ? SeedPairing::paired
               : SeedPairing::unpaired;
}

std::vector<DiffMetric> compared_metrics(const Result& base, const Result& fresh) {
    const SeedPairing pairing = pairing_of(base, fresh);
    const std::vector<std::optional<double>> of_base = scalar_values(base);
    const std::vector<std::optional<double>> of_fresh = scalar_values(fresh);
    const double error = modelled_error_usd(base, fresh).value_or(0);
    std::vector<DiffMetric> metrics;
    for (std::size_t i = 0; i < of_base.size(); ++i) {
        DiffMetric& metric = metrics.emplace_back(DiffMetric{&scalar_table()[i], {}, {}});
        if (pairing == SeedPairing::single) {
            metric.figure = {to_micro(of_base[i]), to_micro(of_fresh[i])};
            continue;
        }
        const RepeatedScalar before = scalar_of(base, metric.row->name, of_base[i]);
        const RepeatedScalar after = scalar_of(fresh, metric.row->name, of_fresh[i]);
        MeanDifference difference = difference_of(before, after, pairing, seed_values(*metric.row));
        if (metric.row->name == "cost.total" && difference.ci_low && error > 0)
            difference = with_error(difference, error);
        metric.figure = {to_micro(mean_of(before)), to_micro(mean_of(after))};
        if (difference.runs == 0)
            continue;
        metric.figure = {to_micro(difference.base), to_micro(difference.base + difference.mean)};
        metric.over_seeds = difference;
    }
    return metrics;
}

std::string seeds_note(const Result& base,
                       const Result& fresh,
                       const std::string& base_name,
                       const std::string& fresh_name) {
    const SeedPairing pairing = pairing_of(base, fresh);
    if (pairing == SeedPairing::single)
        return {};
    const std::string first = base.run.seed == fresh.run.seed
                                  ? fmt::format("seed {}", base.run.seed)
                                  : fmt::format("seeds {} and {}", base.run.seed, fresh.run.seed);
    const std::string money =
        fmt::format("where it went, by pool and by tenant is of {} alone", first);
    switch (pairing) {
    case SeedPairing::paired:
        return fmt::format("metrics are means over {}, and intervals those of the differences seed "
                           "by seed; {}",
                           seeds_text(base),
                           money);
    case SeedPairing::unpaired:
        return fmt::format(
            "metrics are means over {} and {}{}: intervals are those of two independent "
            "sets of runs; {}",
            seeds_text(base),
            seeds_text(fresh),
            has_same_seeds(base, fresh)
                ? ", whose values an older result does not have seed by seed"
                : ", which are not the same",
            money);
    case SeedPairing::one_sided:
    case SeedPairing::single:
        break;
    }
    const bool base_has = is_repeated(base);
    return fmt::format("metrics of {} are means over {}, those of {} are of {} alone: there are no "
                       "intervals; {}",
                       base_has ? base_name : fresh_name,
                       seeds_text(base_has ? base : fresh),
                       base_has ? fresh_name : base_name,
                       seeds_text(base_has ? fresh : base),
                       money);
}

std::string first_seed_title(const Result& base, const Result& fresh) {
    if (pairing_of(base, fresh) == SeedPairing::single)
        return {};
    return base.run.seed == fresh.run.seed ? fmt::format(", seed {}", base.run.seed)
                                           : std::string{", first seeds"};
}

std::string interval_text(const DiffMetric& metric) {
    const auto& change = metric.over_seeds;
    return change ? interval_text(change->ci_low, change->ci_high, metric.row->kind) +
                        deciding_seeds_mark(change->deciding)
                  : "-";
}

}} // namespace bursar::reports
