#pragma once

#include <cassert>
#include <cstdint>
#include <limits>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/preemption/victim_order.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// One pool's GPUs as a pass hands them out by count: to running attempts in their order, and to
/// those that wait and come before them.
///
/// What running attempts have is a greedy answer at all times: walk them in order, give each its
/// GPUs if enough are left. A job that waits and joins at its place in the order changes nothing
/// for those before it; those behind it are walked again. Because what has no GPUs is walked too,
/// repeating this for the first job that fits, in order, gives the greedy answer for all jobs
/// together, and only the last in order, about as many GPUs as the job asks for, are ever looked
/// at (preemption_agreement_test.cpp holds it against the full walk).
struct PoolTurns {
    VictimOrder victims;
    std::int64_t left{};         ///< GPUs that are left
    std::uint32_t num_decided{}; ///< victims, from the front, that the pass in progress looked at
    /// With that much left, or less, jobs that waited then could not have any: what they might take
    /// from running attempts has only become less since.
    std::int64_t settled_left{};

    /// Slots: in the pass in progress no job further on that asks for that many has any.
    std::int64_t refused{nobody_refused};

    static constexpr std::int64_t nobody_refused = std::numeric_limits<std::int64_t>::max();
    [[nodiscard]] BURSAR_HD bool is_settled() const { return left <= settled_left; }

    /// What a job at `rank` would find: whether `slots` are left at its turn, and how many victims
    /// that takes. held: of what is left, for others before it.
    struct Reach {
        enum class Answer : std::uint8_t { no, yes, look_further } answer{};
        std::uint32_t num_victims{};
        std::int64_t slots{};
    };
    [[nodiscard]] BURSAR_HD Reach reach(const Rank& rank,
                                        std::int64_t slots,
                                        std::int64_t held = 0) const {
        std::int64_t sum = left - held;
        std::uint32_t i = 0;
        for (; sum < slots; ++i) {
            if (i == victims.num_front()) {
                const bool ends_here = !victims.has_more() || !(rank < victims.next().rank);
                return {ends_here ? Reach::Answer::no : Reach::Answer::look_further, i, sum};
            }
            const Victim& victim = victims[i];
            if (!(rank < victim.rank))
                return {Reach::Answer::no, i, sum};
            if (!victim.gives_way())
                sum += victim.slots;
        }
        return {Reach::Answer::yes, i, sum};
    }

    /// As reach(), with the victims at hand: whether a closer look may find the job's GPUs.
    [[nodiscard]] BURSAR_HD bool
    may_give(const Rank& rank, std::int64_t slots, std::int64_t held = 0) const {
        return reach(rank, slots, held).answer != Reach::Answer::no;
    }

    /// A glance, without a branch to guess: false where the pass in progress has nothing for the
    /// job, true where it may.
    [[nodiscard]] BURSAR_HD bool may_serve(const Rank& rank, std::int64_t slots) const {
        return (slots < refused) & ((slots <= left) | victims.has_behind(rank));
    }

    /// Gives a job its GPUs if its turn has enough; those behind it get what is left, in order.
    /// Jobs come in order: a job refused here would not get anything later in the pass, nor would
    /// one behind it that asks for as many.
    BURSAR_HD bool give(const Rank& rank, std::int64_t slots) {
        if (slots <= left) {
            left -= slots;
            return true;
        }
        return give_of_victims(rank, slots);
    }

  private:
    [[gnu::noinline]] BURSAR_HD bool give_of_victims(const Rank& rank, std::int64_t slots) {
        std::int64_t sum = left;
        std::uint32_t num = 0;
        for (; sum < slots; ++num) {
            if (num == victims.num_front()) {
                if (!victims.has_more() || !(rank < victims.next().rank))
                    break;
                victims.bring();
            }
            const Victim& victim = victims[num];
            if (!(rank < victim.rank))
                break;
            sum += victim.gives_way() ? 0 : victim.slots;
        }
        if (sum < slots) {
            refused = slots < refused ? slots : refused;
            return false;
        }
        left = sum - slots;
        if (left == 0) {
            victims.take_all(num);
        } else {
            for (std::uint32_t i = num; i-- > 0;) {
                const bool stays = victims[i].num_slots() <= left;
                left -= stays ? victims[i].num_slots() : 0;
                victims.decide(i, !stays);
            }
        }
        num_decided = num > num_decided ? num : num_decided;
        return true;
    }
};

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
