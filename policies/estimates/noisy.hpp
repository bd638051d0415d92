#pragma once

#include <cstdint>
#include <string_view>

#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Run time times a random factor, drawn from the job's number and the run's seed when the plan is
/// compiled. Uniform factors from 1 up model users who request more than they need (the f-model of
/// the literature: an estimate uniform in [r, f r]); lognormal ones are too short as often as too
/// long.
struct NoisyEstimates {
    static constexpr std::string_view name = "noisy";
    static constexpr std::string_view summary =
        "actual run times multiplied by a seeded random factor";
    static constexpr std::string_view source = "Mu'alem & Feitelson 2001 (IEEE TPDS 12(6))";

    enum Spread : std::int64_t { uniform, lognormal };
    static constexpr OptionInfo options[] = {
        {.name = "spread",
         .kind = OptionKind::choice,
         .fallback = {uniform},
         .meaning = "how factors are drawn: from 1 to `factor`, or with a median of 1 and a "
                    "logarithm whose standard deviation is `sigma`",
         .max = 1,
         .choices = {"uniform", "lognormal"}},
        {.name = "factor",
         .kind = OptionKind::milli,
         .fallback = {5000},
         .meaning = "largest factor",
         .min = 1000,
         .max = 1'000'000,
         .only_with = "spread",
         .only_with_value = uniform},
        {.name = "sigma",
         .kind = OptionKind::milli,
         .fallback = {500},
         .meaning = "standard deviation of the factor's logarithm",
         .max = 10'000,
         .only_with = "spread",
         .only_with_value = lognormal}};
    static constexpr bool draws = true;
};

}} // namespace bursar::policies
