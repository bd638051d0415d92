#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "models/units/units.hpp"

#include "policies/describe/option.hpp"
#include "policies/rules/multifactor.hpp"

namespace bursar { inline namespace policies {

/// Serves the job of the highest sum of weighted factors, each from 0 to 1; ties by submit order:
///
///   age         time since submit over max_age, 1 from then on
///   size        GPUs over those of the fleet; favor small: 1 minus that
///   fair share  2^-(U / S), U: the tenant's share of the fleet's GPUs, decayed by half-lives,
///               S: its weight over the sum of weights; 1/2 for a tenant that uses exactly its
///               share
///   priority    the job's own, from the lowest of the plan to the highest
///
/// Factors are in units of 2^-24, rounded down. Ages and use are updated at the end of each period;
/// a job that arrives in between has age 0. U is a share of the fleet, where Slurm takes the share
/// of what was used: the same on a busy fleet. Source: SchedMD, Slurm's priority/multifactor
/// plug-in (classic fair share), whose documented example gives the default weights.
struct Multifactor {
    static constexpr std::string_view name = "multifactor";
    static constexpr std::string_view summary =
        "highest weighted sum of age, size, fair share and the job's own priority first";
    static constexpr std::string_view cost =
        "as fair-share; once a period log(tenants) for each tenant and gang shape";
    static constexpr std::string_view source = "Slurm, priority/multifactor";
    static constexpr std::int64_t max_weight = 1'000'000;
    static constexpr OptionInfo options[]{
        {"age", OptionKind::count, {1000}, "weight of the time since submit", false, 0, max_weight},
        {"size", OptionKind::count, {1000}, "weight of the gang's size", false, 0, max_weight},
        {"fair_share",
         OptionKind::count,
         {10'000},
         "weight of the tenant's unused share",
         false,
         0,
         max_weight},
        {"priority",
         OptionKind::count,
         {1000},
         "weight of the job's own priority",
         false,
         0,
         max_weight},
        {"max_age",
         OptionKind::duration,
         {7 * day.count()},
         "age at which its weight is full",
         false,
         1},
        {"half_life",
         OptionKind::duration,
         {7 * day.count()},
         "half-life of past use; 0: only GPUs held now count"},
        {"period",
         OptionKind::duration,
         {5 * minute.count()},
         "how often ages and past use are updated",
         false,
         1},
        {"favor",
         OptionKind::choice,
         {0},
         "which gangs the size weight favours",
         false,
         0,
         1,
         {"large", "small"}},
    };

    static MultifactorRule from(const PolicyOptions& given) {
        const auto weight = [&](std::size_t i) {
            return static_cast<std::uint64_t>(given.value(options[i]));
        };
        return {weight(0),
                weight(1),
                weight(2),
                weight(3),
                given.value(options[4]),
                {given.value(options[5]), given.value(options[6])},
                given.value(options[7]) == 1,
                {}};
    }
};

}} // namespace bursar::policies
