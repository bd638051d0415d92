#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string_view>

#include "policies/allocator/configurations.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Gives elastic jobs a pool and a number of GPUs, by the goodput that they have there in multiples
/// of their least one.
struct Sia {
    static constexpr std::string_view name = "sia";
    static constexpr std::string_view summary =
        "each job at most one pool and number of GPUs, so that the sum of a falling power of the "
        "jobs' goodputs is as small as it can be, less what changes cost";
    static constexpr std::string_view cost =
        "per decision: a linear program of jobs * pools * numbers of GPUs";
    static constexpr std::string_view source =
        "Jayaram Subramanya et al., SOSP 2023 (Sia, section 3.3; p = -0.5 and lambda = 1.1 as "
        "there)";
    static constexpr bool resizes = true;
    static constexpr OptionInfo options[]{growth_option};

    static std::unique_ptr<Allocator> from(const PolicyOptions& given) {
        return std::make_unique<Decider>(static_cast<Growth>(given.value(growth_option)));
    }

  private:
    class Decider : public WorthAllocator {
        using WorthAllocator::WorthAllocator;

        static constexpr double power = -0.5;
        static constexpr double cost_of_none = 1.1; ///< of a job without GPUs; with the least: 1

        [[nodiscard]] double worth(double goodput) const override {
            return cost_of_none - std::pow(goodput, power);
        }

        /// The least one of all configurations of a job.
        [[nodiscard]] double unit_speed(const AllocationView& view,
                                        const AllocationJob& job,
                                        const ElasticDecision& decision) const override {
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t form = 0; form < ElasticDecision::num_forms(job); ++form)
                for (PoolId pool{0}; pool < view.pools.size(); ++pool)
                    if (const double speed = decision.in_form(job, form, pool).speed; speed > 0)
                        least = std::min(least, speed);
            return least;
        }
    };
};

}} // namespace bursar::policies
