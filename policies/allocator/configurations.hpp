#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/engine/passes/allocator.hpp"

#include "policies/allocator/elastic_decision.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// What elastic jobs have had, for allocators that decide by it.
class ElasticPast {
  public:
    void clear() { past_.clear(); }
    /// Jobs come, go and change their GPUs. Once per decision.
    void follow(const AllocationView& view);

    /// The largest number of GPUs that the job has held; 0: none yet.
    [[nodiscard]] std::uint32_t most_gpus(const AllocationJob& job) const;
    /// What is left of a job's time if it goes on with other GPUs, or again after it was stopped,
    /// as Pollux and Sia have it: its age without the time of all changes so far, over its age and
    /// the next change. 1 if it has never run; a little more if it goes on as it is, so that no job
    /// is stopped for an equal one.
    [[nodiscard]] double factor(const AllocationView& view,
                                const AllocationJob& job,
                                const ElasticDecision::Given& given) const;

  private:
    struct Past {
        PoolId pool{};
        std::uint32_t gpus{};
        std::uint32_t most_gpus{};
        std::int64_t num_changes{};
    };
    std::map<std::uint32_t, Past> past_;
};

/// How many GPUs a job may get. Its fewest it may always get.
enum class Growth : std::uint8_t {
    any,     ///< as many as it may have
    doubling ///< at most twice the most that it has had
};

inline constexpr OptionInfo growth_option{
    .name = "growth",
    .kind = OptionKind::choice,
    .meaning =
        "how many GPUs a job may get: as many as it may have (`any`), or its fewest and then "
        "at most twice the most that it has had (`doubling`, as in the paper, which knows "
        "no speeds beyond those)",
    .choices = {"any", "doubling"}};

/// An allocator of elastic jobs by what each configuration is worth. Cost per decision: a linear
/// program of jobs * pools * numbers of GPUs.
class WorthAllocator : public Allocator {
  public:
    explicit WorthAllocator(Growth growth) : growth_{growth} {}

  private:
    /// The speed over which goodput is counted; > 0.
    [[nodiscard]] virtual double unit_speed(const AllocationView& view,
                                            const AllocationJob& job,
                                            const ElasticDecision& decision) const = 0;
    /// What `goodput`, a speed over unit_speed() less what the change costs, is worth over having
    /// no GPUs. goodput: >= 0. Worth of 0 and less: the job does not get that.
    [[nodiscard]] virtual double worth(double goodput) const = 0;

    void begin() override { past_.clear(); }
    [[nodiscard]] bool moves_with_time() const override { return true; }
    void allocate(const AllocationView& view, std::vector<AllocationRow>& rows) override;

    Growth growth_;
    ElasticPast past_;
};

}} // namespace bursar::policies
