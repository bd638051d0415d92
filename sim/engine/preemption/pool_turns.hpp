#pragma once

#include <cassert>
#include <cstdint>
#include <limits>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/preemption/victim_order.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// The distribution of one pool's GPUs by count in a pass: to running attempts in their order, and
/// to waiting jobs that come before them.
///
/// Running attempts always have the greedy answer: walk them in order, and give each its GPUs if
/// enough are left. A waiting job that joins at its place in the order changes nothing for those
/// before it; those behind it are walked again, including attempts without GPUs. Repeating this for
/// the first job that fits, in order, gives the greedy answer for all jobs together. Only the last
/// attempts in order, with about as many GPUs as the job requests, are ever read
/// (preemption_agreement_test.cpp compares with the full walk).
struct PoolTurns {
    VictimOrder victims;
    std::int64_t left{};         ///< GPUs that are left
    std::uint32_t num_decided{}; ///< victims, from the front, that the pass in progress decided on
    /// If at most this is left, jobs that waited after the last pass get nothing: what they could
    /// take from running attempts has only shrunk since.
    std::int64_t settled_left{};

    /// Slots: no later job of this pass that requests that many, or more, gets any.
    std::int64_t refused{none_refused};

    static constexpr std::int64_t none_refused = std::numeric_limits<std::int64_t>::max();
    [[nodiscard]] BURSAR_HD bool is_settled() const { return left <= settled_left; }

    /// Whether a job at `rank` can get `slots`, and from how many victims. held: slots of `left`
    /// for other jobs before it.
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

    /// Whether a job may get its GPUs, by the sorted victims: false is certain.
    [[nodiscard]] BURSAR_HD bool
    may_give(const Rank& rank, std::int64_t slots, std::int64_t held = 0) const {
        return reach(rank, slots, held).answer != Reach::Answer::no;
    }

    /// A quick check without branches: false if the pass in progress has nothing for the job.
    [[nodiscard]] BURSAR_HD bool may_serve(const Rank& rank, std::int64_t slots) const {
        return (slots < refused) & ((slots <= left) | victims.has_behind(rank));
    }

    /// Gives a job its GPUs if enough are left at its rank; those behind it get the rest, in order.
    /// Call it in order: a job refused here gets nothing later in the pass, nor does a later one
    /// that requests as many.
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

/// The running attempts of all pools that a pass has decided to preempt.
class Leavers {
  public:
    Leavers() = default;
    BURSAR_HD Leavers(ArenaCarver& carver, std::uint32_t max_live)
        : slots_{carver.take<AttemptId>(max_live)} {}

    BURSAR_HD void clear() { num_slots_ = 0; }
    [[nodiscard]] BURSAR_HD std::uint32_t size() const { return num_slots_; }
    [[nodiscard]] BURSAR_HD AttemptId operator[](std::uint32_t i) const { return slots_[i]; }

    /// Removes them from the victims. The last in order comes first, so that earlier ones, stopped
    /// later, queue before it.
    template <class Standings>
    BURSAR_HD void
    find(Standings& standings, std::uint32_t num_pools, const LiveAttempts& attempts) {
        num_slots_ = 0;
        for (PoolId pool{0}; pool < num_pools; ++pool) {
            PoolTurns& turns = standings.pool(pool);
            turns.victims.trim(turns.num_decided);
            turns.refused = PoolTurns::none_refused;
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
                slots_[place] = slots_[place - 1]; // merges pools by rank
            slots_[place] = victim.attempt;
        });
        turns.num_decided = 0;
    }

    AttemptId* slots_{};
    std::uint32_t num_slots_{};
};

}} // namespace bursar::sim
