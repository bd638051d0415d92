#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/plan.hpp"

namespace bursar { inline namespace sim {

/// Memory that runs reuse one after the other.
class Workspace {
  public:
    /// max_live: how many attempts may run at once, and how many preempted jobs wait, before a run
    /// starts over in an arena twice as large, >= 1; absent: as many attempts as the plan could
    /// ever need, and a quarter of its jobs waiting.
    explicit Workspace(std::optional<std::uint32_t> max_live = std::nullopt) : max_live_{max_live} {
        assert(!max_live || *max_live >= 1);
    }

    /// For how much of `plan` an arena is laid out.
    [[nodiscard]] ArenaSize arena_size(const Plan& plan) const;
    /// Whether there can be more; then arena_size() gives twice as much.
    bool enlarge(const Plan& plan);

    /// A block of at least `size` bytes; its content is unspecified.
    [[nodiscard]] std::byte* reserve(std::size_t size);

  private:
    /// One cache line, so that the arena starts on one.
    struct alignas(64) Unit {
        std::byte bytes[64];
    };

    std::optional<std::uint32_t> max_live_;
    unsigned doublings_{};
    std::vector<Unit> block_;
};

}} // namespace bursar::sim
