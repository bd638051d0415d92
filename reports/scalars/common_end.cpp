#include "reports/scalars/common_end.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "models/market/billing.hpp"

#include "reports/rounding/printed_units.hpp"
#include "reports/scalars/scalar_text.hpp"

namespace bursar { inline namespace reports {
namespace {

/// How much longer capacity is paid for when the run ends at `end` instead.
Duration time_past(Duration end, const RunEnding& run, const KeptCapacity& pool) {
    if (run.measured_to) // the bill ends there, and has no rest of a step
        return std::max(Duration{}, std::min(end, *run.measured_to) - run.end);
    return billed(end, pool.step) - billed(run.end, pool.step);
}

} // namespace

std::optional<double> CommonEnds::cost_past(std::uint64_t seed, const RunEnding& run) const {
    const Duration end = of(seed);
    if (!run.by_itself || end <= run.end)
        return 0;
    int128 micro_usd{};
    for (const KeptCapacity& pool : run.kept) {
        const Duration time = time_past(end, run, pool);
        if (!pool.rate && time > Duration{})
            return std::nullopt;
        const int128 slot_ms = int128{pool.gpus} * slots_per_gpu * time.count();
        micro_usd += (slot_ms * pool.rate.value_or(MoneyRate{}).count() + money_per_micro_usd / 2) /
                     money_per_micro_usd;
    }
    return static_cast<double>(micro_usd) / 1e6;
}

std::optional<double>
CommonEnds::cost_to(std::uint64_t seed, const RunEnding& run, std::optional<double> own) const {
    const std::optional<double> past = cost_past(seed, run);
    return own && past ? std::optional{std::round((*own + *past) * 1e6) / 1e6} : std::nullopt;
}

const ScalarRow& common_end_cost() {
    static const ScalarRow row{"cost.to_common_end",
                               ScalarKind::usd,
                               Better::lower,
                               "cost.to_common_end",
                               "`cost.total`, and owned and reserved capacity from the run's own "
                               "end to the latest end of the runs of its seed"};
    return row;
}

RepeatedScalar without_interval(RepeatedScalar scalar) {
    scalar.ci_low.reset();
    scalar.ci_high.reset();
    return scalar;
}

std::string other_ranking(std::vector<CostsToEnds> costs, bool by_common_end) {
    double CostsToEnds::*const ranked = by_common_end ? &CostsToEnds::common : &CostsToEnds::own;
    double CostsToEnds::*const other = by_common_end ? &CostsToEnds::own : &CostsToEnds::common;
    const auto cents = [](double usd) { return std::round(usd * 100); };
    std::ranges::stable_sort(costs, {}, [&](const CostsToEnds& one) {
        return std::tuple{cents(one.*ranked), cents(one.*other)};
    });
    const auto by_other = [&](const CostsToEnds& one) { return cents(one.*other); };
    std::string place;
    auto first = costs.begin();
    auto second = std::ranges::min_element(costs, {}, by_other);
    if (first == costs.end() || by_other(*first) == by_other(*second)) { // the least is the same
        first = std::ranges::adjacent_find(costs, std::ranges::greater{}, by_other);
        if (first == costs.end())
            return {};
        second = first + 1;
        place = fmt::format(" from place {} on", second - costs.begin());
    }
    return fmt::format("the {} ranks differently{}: \"{}\" has {} USD, \"{}\" {} USD{}",
                       by_common_end ? "total cost" : "cost to the common end",
                       place,
                       second->name,
                       scalar_text((*second).*other, ScalarKind::usd),
                       first->name,
                       scalar_text((*first).*other, ScalarKind::usd),
                       by_common_end ? "" : "; --common-end ranks by it");
}

}} // namespace bursar::reports
