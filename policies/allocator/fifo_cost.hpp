#pragma once

#include <memory>
#include <string_view>

#include "policies/allocator/fractions.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// First come, first served, each job on the pool that is still free where its work costs least
/// now; running jobs move where it would cost less.
struct FifoCost {
    static constexpr std::string_view name = "fifo-cost";
    static constexpr std::string_view summary =
        "by submission, each job on the pool where its work costs least now among those with "
        "enough free GPUs, pools that are paid in any case first; running jobs move to cheaper "
        "pools";
    static constexpr std::string_view cost = "per decision: jobs * pools^2";
    static constexpr std::string_view source = "as fifo-perf, with the price of work for speed";
    static constexpr OptionInfo options[]{recompute_option};

    static std::unique_ptr<Allocator> from(const PolicyOptions& given) {
        return std::make_unique<Decider>(given.value(recompute_option));
    }

  private:
    class Decider : public FractionAllocator {
        using FractionAllocator::FractionAllocator;

        [[nodiscard]] bool follows_prices() const override { return true; }
        Fractions solve(const AllocationView& view) override {
            return whole_pools(view, [&](const AllocationJob& job, PoolId pool) {
                return work_per_cost(view, job, pool);
            });
        }
    };
};

}} // namespace bursar::policies
