#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/preemption/pool_turns.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// The running attempts that give way, as a pass has decided, of all pools.
class Leavers {
  public:
    Leavers() = default;
    BURSAR_HD Leavers(ArenaCarver& carver, std::uint32_t max_live)
        : slots_{carver.take<AttemptId>(max_live)} {}

    BURSAR_HD void clear() { num_slots_ = 0; }
    [[nodiscard]] BURSAR_HD std::uint32_t size() const { return num_slots_; }
    [[nodiscard]] BURSAR_HD AttemptId operator[](std::uint32_t i) const { return slots_[i]; }

    /// Takes them out of the victims; the last in order first, so that each may wait in front of
    /// those before it.
    template <class Standings>
    BURSAR_HD void
    find(Standings& standings, std::uint32_t num_pools, const LiveAttempts& attempts) {
        num_slots_ = 0;
        for (PoolId pool{0}; pool < num_pools; ++pool) {
            PoolTurns& turns = standings.pool(pool);
            turns.victims.trim(turns.num_decided);
            turns.refused = PoolTurns::nobody_refused;
            if (turns.num_decided > 0) [[unlikely]]
                take_from(turns, attempts);
        }
    }

  private:
    BURSAR_HD void take_from(PoolTurns& turns, const LiveAttempts& attempts) {
        const std::uint32_t before = num_slots_;
        turns.victims.take_leavers(turns.num_decided, [&](const Victim& victim) {
            std::uint32_t place = num_slots_++;
            for (; before > 0 && place > 0 && attempts[slots_[place - 1]].rank < victim.rank;
                 --place)
                slots_[place] = slots_[place - 1]; // of another pool
            slots_[place] = victim.attempt;
        });
        turns.num_decided = 0;
    }

    AttemptId* slots_{};
    std::uint32_t num_slots_{};
};

}} // namespace bursar::sim
