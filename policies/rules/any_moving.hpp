#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/engine/queues/job_order_view.hpp"
#include "sim/engine/queues/queue_order.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"

#include "policies/rules/gittins.hpp"
#include "policies/rules/least_attained.hpp"
#include "policies/rules/shortest_remaining.hpp"

namespace bursar { inline namespace policies {

/// The order of fifo under preemption by quantum: the job served least recently comes first. At
/// every pass running jobs go to the end of the queue, behind the waiting jobs, ties by submit
/// order. A job keeps its GPUs until some of the work since its start is durable; otherwise quanta
/// shorter than a restart would never end.
struct TurnTaking {
    static constexpr OrderTraits traits{.motion = KeyMotion::steps,
                                        .ties = Ties::turn,
                                        .tests_at_events = true,
                                        .moves_at_every_pass = true};

    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView&) const { return 0; }
    [[nodiscard]] BURSAR_HD Duration until_key_changes(const JobView&) const {
        return Duration{horizon_ms};
    }
    /// True: every running job moves at every pass.
    [[nodiscard]] BURSAR_HD bool tests_at_events() const { return true; }
};

/// Any order whose keys move while jobs run, chosen at the start of a run. One instance of the
/// engine serves them all; each read of a key costs a branch that never changes during a run.
class AnyMovingRule {
    enum class Kind : std::uint8_t { remaining, gpu_time, attained, gittins, turns, none };

  public:
    static constexpr OrderTraits traits{.motion = KeyMotion::steps,
                                        .ties = Ties::turn,
                                        .preempts = true,
                                        .tests_at_events = true,
                                        .moves_at_every_pass = true,
                                        .varies = true};

    AnyMovingRule() = default;
    explicit AnyMovingRule(const ShortestRemainingRule& rule)
        : kind_{rule.by_gpu_time ? Kind::gpu_time : Kind::remaining}, own_{rule.own_traits()} {}
    explicit AnyMovingRule(const LeastAttainedRule& rule)
        : kind_{Kind::attained}, own_{rule.own_traits()}, attained_{rule} {}
    explicit AnyMovingRule(const GittinsRule& rule)
        : kind_{Kind::gittins}, own_{rule.own_traits()}, gittins_{rule} {}
    explicit AnyMovingRule(const TurnTaking&) : kind_{Kind::turns}, own_{TurnTaking::traits} {}
    /// Keys are fixed in this run and are not read.
    BURSAR_HD explicit AnyMovingRule(const FixedOrder&)
        : kind_{Kind::none}, own_{FixedOrder::traits} {}

    [[nodiscard]] BURSAR_HD OrderTraits own_traits() const { return own_; }

    /// As in GittinsRule; other rules read none.
    BURSAR_HD void read_levels(const JobOrderView& order) { gittins_.read_levels(order); }

    [[nodiscard, gnu::always_inline]] BURSAR_HD std::uint64_t key(const JobView& job) const {
        switch (kind_) {
        case Kind::remaining:
            return ShortestRemainingRule{}.key(job);
        case Kind::gpu_time:
            return ShortestRemainingRule{true}.key(job);
        case Kind::attained:
            return attained_.key(job);
        case Kind::gittins:
            return gittins_.key(job);
        case Kind::turns:
        case Kind::none:
            break;
        }
        return TurnTaking{}.key(job);
    }

    [[nodiscard, gnu::always_inline]] BURSAR_HD Duration
    until_key_changes(const JobView& job) const {
        switch (kind_) {
        case Kind::attained:
            return attained_.until_key_changes(job);
        case Kind::gittins:
            return gittins_.until_key_changes(job);
        case Kind::remaining:
        case Kind::gpu_time:
        case Kind::turns:
        case Kind::none:
            break;
        }
        return Duration{horizon_ms};
    }

    [[nodiscard]] BURSAR_HD bool tests_at_events() const {
        return kind_ == Kind::turns || (kind_ == Kind::attained && attained_.tests_at_events()) ||
               (kind_ == Kind::gittins && gittins_.tests_at_events());
    }

  private:
    Kind kind_{Kind::remaining};
    OrderTraits own_{ShortestRemainingRule{}.own_traits()};
    LeastAttainedRule attained_{};
    GittinsRule gittins_{};
};
static_assert(QueueOrder<AnyMovingRule>);

}} // namespace bursar::policies
