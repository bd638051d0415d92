#include "reports/compare/comparison.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/scalars/scalars.hpp"

namespace bursar::inline reports {
namespace {

/// The runs of one scalar in which both have a value, as values of the base and differences to it.
struct Pairs {
    std::vector<double> base;
    std::vector<double> difference;
};

Pairs pairs_of(const ComparedVariant& base, const ComparedVariant& variant, std::size_t scalar) {
    Pairs pairs;
    for (std::size_t run = 0; run < base.runs.size(); ++run) {
        const Scalar& mine = variant.runs[run][scalar];
        const Scalar& other = base.runs[run][scalar];
        assert(mine.name == other.name);
        if (!mine.value || !other.value)
            continue;
        pairs.base.push_back(*other.value);
        pairs.difference.push_back(*mine.value - *other.value);
    }
    return pairs;
}

/// A clear difference in words. difference: not 0.
Verdict clear_verdict(Better side, double difference) {
    const bool less = difference < 0;
    switch (side) {
    case Better::lower:
        return less ? Verdict::better : Verdict::worse;
    case Better::higher:
        return less ? Verdict::worse : Verdict::better;
    case Better::neither:
        break;
    }
    return less ? Verdict::lower : Verdict::higher;
}

Verdict
verdict_on(const Difference& difference, const Pairs& pairs, const ScalarRow& scalar, bool random) {
    if (difference.pairs == 0)
        return Verdict::unknown;
    const double rounding = resolution(scalar.kind) * (1 + 1e-6); // of decimals as doubles
    if (std::ranges::all_of(pairs.difference, [&](double d) { return std::abs(d) <= rounding; }) &&
        (!random || difference.pairs > 1))
        return Verdict::equal;
    if (!random)
        return clear_verdict(scalar.better, difference.mean);
    if (!difference.ci_low)
        return Verdict::unknown;
    if (*difference.ci_low > 0 || *difference.ci_high < 0)
        return clear_verdict(scalar.better, difference.mean);
    return Verdict::no_clear_difference;
}

Difference difference_to(const ComparedVariant& base,
                         const ComparedVariant& variant,
                         std::size_t scalar,
                         bool random) {
    const Pairs pairs = pairs_of(base, variant, scalar);
    const RepeatedScalar over_pairs = over_runs({}, pairs.difference);
    Difference difference;
    difference.pairs = over_pairs.n;
    difference.mean = over_pairs.mean;
    difference.ci_low = over_pairs.ci_low;
    difference.ci_high = over_pairs.ci_high;
    const double base_mean = over_runs({}, pairs.base).mean;
    if (base_mean != 0)
        difference.relative = difference.mean / base_mean;
    const ScalarRow* row = find_scalar(base.runs.front()[scalar].name);
    assert(row != nullptr);
    difference.verdict = verdict_on(difference, pairs, *row, random);
    return difference;
}

} // namespace

std::string_view name(Verdict verdict) {
    constexpr std::array<std::string_view, 7> names{
        "better", "worse", "lower", "higher", "equal", "no clear difference", ""};
    return names[static_cast<std::size_t>(verdict)];
}

void work_out(Comparison& comparison) {
    assert(comparison.variants.size() >= 2);
    const ComparedVariant& base = comparison.variants.front();
    for (ComparedVariant& variant : comparison.variants) {
        assert(variant.runs.size() == base.runs.size());
        variant.values = repeats_over(variant.runs);
        variant.differences.clear();
        if (&variant == &base)
            continue;
        for (std::size_t scalar = 0; scalar < base.runs.front().size(); ++scalar)
            variant.differences.push_back(difference_to(base, variant, scalar, comparison.random));
    }
}

std::vector<std::string> caveats_of(const Comparison& comparison,
                                    std::vector<std::string> Caveats::*kind) {
    std::vector<std::pair<std::string, std::vector<std::string>>> found; // text, labels
    for (const ComparedVariant& variant : comparison.variants) {
        for (const std::string& text : variant.caveats.*kind) {
            auto at = std::ranges::find(
                found, text, &std::pair<std::string, std::vector<std::string>>::first);
            if (at == found.end())
                at = found.insert(found.end(), {text, {}});
            at->second.push_back(variant.label);
        }
    }
    std::vector<std::string> out;
    for (const auto& [text, labels] : found)
        out.push_back(labels.size() == comparison.variants.size()
                          ? text
                          : fmt::format("{}: {}", fmt::join(labels, ", "), text));
    return out;
}

} // namespace bursar::inline reports
