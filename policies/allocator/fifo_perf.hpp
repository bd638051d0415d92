#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "policies/allocator/fractions.hpp"
#include "policies/allocator/packing.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Whether jobs may share the GPUs of a gang, by pairs that the plan has speeds of.
inline constexpr OptionInfo packing_option{
    .name = "packing",
    .kind = OptionKind::choice,
    .fallback = {0},
    .meaning = "whether a waiting job may share the GPUs of another one with as many, until one of "
               "them ends",
    .choices = {"off", "on"}};
inline constexpr OptionInfo packing_gain_option{
    .name = "packing_gain",
    .kind = OptionKind::milli,
    .fallback = {1'500},
    .meaning =
        "two jobs share GPUs only if their speeds, each over its speed alone, add up to more",
    .min = 0,
    .max = 2'000,
    .only_with = "packing",
    .only_with_value = 1};

/// First come, first served, each job on the fastest pool for it that is still free; computed anew
/// from the first job on, so that running jobs move to faster pools where those become free. With
/// packing, the first jobs in order that get no pool share the GPUs of others.
struct FifoPerf {
    static constexpr std::string_view name = "fifo-perf";
    static constexpr std::string_view summary =
        "by submission, each job on the pool where it is fastest among those with enough free "
        "GPUs; running jobs move to faster pools";
    static constexpr std::string_view cost = "per decision: jobs * pools";
    static constexpr std::string_view source =
        "Narayanan et al., OSDI 2020 (Gavel, FIFO with throughputs)";
    static constexpr OptionInfo options[]{recompute_option, packing_option, packing_gain_option};

    static std::unique_ptr<Allocator> from(const PolicyOptions& given) {
        const bool packs = given.value(packing_option) == 1;
        return std::make_unique<Decider>(
            given.value(recompute_option),
            packs ? std::optional{static_cast<double>(given.value(packing_gain_option)) / 1000}
                  : std::nullopt);
    }

  private:
    class Decider : public FractionAllocator {
      public:
        Decider(std::int64_t period_ms, std::optional<double> packing_gain)
            : FractionAllocator{period_ms}, packing_gain_{packing_gain} {}

        void allocate(const AllocationView& view, std::vector<AllocationRow>& rows) override {
            FractionAllocator::allocate(view, rows);
            if (packing_gain_ && view.plan.pairs != nullptr)
                pack(view, *packing_gain_, rows);
        }

      private:
        Fractions solve(const AllocationView& view) override {
            return whole_pools(
                view, [&](const AllocationJob& job, PoolId pool) { return view.speed(job, pool); });
        }

        std::optional<double> packing_gain_; ///< absent: jobs share no GPUs
    };
};

}} // namespace bursar::policies
