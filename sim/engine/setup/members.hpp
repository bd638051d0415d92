#pragma once

namespace bursar { inline namespace sim {

/// The optional members of a pass, a queue and a capacity. Each type declares those it has, as
/// `static constexpr PassMembers has{.wake_ms = true};`; protocol.hpp checks that declared and
/// existing members match. A field is named after its member.

struct PassMembers {
    bool stops{};            ///< it stops attempts; no member
    bool resizes{};          ///< it starts jobs in any of their forms; no member
    bool moves_running{};    ///< it may move running jobs although none waits; no member
    bool leaves_fitting{};   ///< jobs that fit may wait by its decision; no member
    bool standing{};         ///< `standing(engine, slot)`
    bool began{};            ///< `began(engine, attempt, slot)`
    bool stopping{};         ///< `stopping(engine, slot, release_ms)`
    bool gone{};             ///< `gone(engine, attempt, slot)`
    bool capacity_changed{}; ///< `capacity_changed(engine, pool, slots)`
    bool unsettle{};         ///< `unsettle()`
    bool withdraw{};         ///< `withdraw(engine, candidate)`
    bool wake_ms{};          ///< `wake_ms() -> int64`
    bool has_claims{};       ///< `has_claims() -> bool`
    bool for_each_claim{};   ///< `for_each_claim(act)`
    bool moves_with_time{};  ///< `moves_with_time(engine) -> bool`
    /// Waiting jobs may not start, whatever is free: `is_refused(job) -> bool`, `refused(shape)`,
    /// their number.
    bool is_refused{};
    bool are_shared{};       ///< `are_shared(attempt) -> bool`
    bool show_all_waiting{}; ///< `show_all_waiting(engine)`
};

struct QueueMembers {
    bool start{};          ///< `start(candidate)`
    bool head{};           ///< `head(team) -> Candidate`
    bool first_where{};    ///< `first_where(team, test)`, a Candidate or what `take` takes
    bool for_each_shape{}; ///< `for_each_shape(team, act)`
    bool num_pending{};    ///< `num_pending(shape) -> uint32`
    /// Its order depends on what tenants hold: `released(tenant, shape)` and `advance(now_ms)`.
    bool released{};
    /// Any job can be taken out, given back and searched for: `give_back(candidate, progress)`,
    /// `first_picked(team, pick)`, `level_of(job)`, `full() -> bool`, `count_apart(n)`.
    bool give_back{};
    /// Its order may change by time alone: `next_change_ms(team, until_ms) -> int64`.
    bool next_change_ms{};
    /// Stopped jobs wait again, and waiting ones may be dropped: `come_back(job, progress)`,
    /// `take_out(candidate)`.
    bool come_back{};
    /// Jobs can be taken out and put back: `put_back(job)`, `take(pick)`, `full() -> bool`,
    /// `count_apart(n)`.
    bool put_back{};
};

struct CapacityMembers {
    bool prepare{}; ///< `prepare(shape)`
    /// It knows nodes: `close`, `open`, `free_on`, `free_slots_on`, `for_each_piece`, and for
    /// forecasts `lines`, `left_on`, `is_held_whole`, `gpu_of`, `limit`, `expect`,
    /// `fits_when_empty_on`; `num_for_rest`.
    bool close{};
};

}} // namespace bursar::sim
