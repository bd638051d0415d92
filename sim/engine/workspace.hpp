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
    /// max_live: the most running attempts, and waiting preempted jobs, before a run restarts in an
    /// arena twice as large; >= 1. Absent: as many attempts as the plan could need, and a quarter
    /// of its jobs waiting.
    explicit Workspace(std::optional<std::uint32_t> max_live = std::nullopt) : max_live_{max_live} {
        assert(!max_live || *max_live >= 1);
    }

    /// The sizes of an arena for `plan`.
    [[nodiscard]] ArenaSize arena_size(const Plan& plan) const;
    /// Doubles arena_size(). Returns false if it is at its maximum.
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
