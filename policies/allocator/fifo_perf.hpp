#pragma once

#include <memory>
#include <string_view>

#include "policies/allocator/fractions.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// First come, first served, each job on the fastest pool for it that is still free; computed anew
/// from the first job on, so that running jobs move to faster pools where those become free.
struct FifoPerf {
    static constexpr std::string_view name = "fifo-perf";
    static constexpr std::string_view summary =
        "by submission, each job on the pool where it is fastest among those with enough free "
        "GPUs; running jobs move to faster pools";
    static constexpr std::string_view cost = "per decision: jobs * pools";
    static constexpr std::string_view source =
        "Narayanan et al., OSDI 2020 (Gavel, FIFO with throughputs)";
    static constexpr OptionInfo options[]{recompute_option};

    static std::unique_ptr<Allocator> from(const PolicyOptions& given) {
        return std::make_unique<Decider>(given.value(recompute_option));
    }

  private:
    class Decider : public FractionAllocator {
        using FractionAllocator::FractionAllocator;

        Fractions solve(const AllocationView& view) override {
            return whole_pools(
                view, [&](const AllocationJob& job, PoolId pool) { return view.speed(job, pool); });
        }
    };
};

}} // namespace bursar::policies
