#include <cstdint>

#include <doctest/doctest.h>

#include "policies/queue/gittins.hpp"
#include "policies/queue/least_attained.hpp"
#include "policies/queue/shortest_remaining.hpp"
#include "policies/rules/any_moving.hpp"

#include "tests/properties.hpp"

namespace bursar::any_moving_test {
namespace {

JobView draw_job() {
    JobView job;
    job.gpus = drawn::in_range(1U, 9U);
    job.remaining = Duration{drawn::in_range<std::int64_t>(0, hour.count())};
    job.attained = Duration{drawn::in_range<std::int64_t>(0, 2 * hour.count())};
    return job;
}

template <class Rule>
void answers_as(const Rule& rule, const AnyMovingRule& any) {
    const OrderTraits traits = traits_of(rule);
    RC_ASSERT(any.own_traits().motion == traits.motion);
    RC_ASSERT(any.own_traits().ties == traits.ties);
    RC_ASSERT(any.own_traits().moves_at_every_pass == traits.moves_at_every_pass);

    const JobView job = draw_job();
    RC_ASSERT(any.key(job) == rule.key(job));
    if constexpr (Rule::traits.motion == KeyMotion::steps)
        RC_ASSERT(any.until_key_changes(job) == rule.until_key_changes(job));
    bool tests_at_events = false;
    if constexpr (Rule::traits.tests_at_events)
        tests_at_events = rule.tests_at_events();
    RC_ASSERT(any.tests_at_events() == tests_at_events);
}

template <class Rule>
void answers_as(const Rule& rule) {
    answers_as(rule, AnyMovingRule{rule});
}

} // namespace

TEST_CASE("AnyMovingRule agrees with the order that it was made from") {
    CHECK(check_property("srtf", [] {
        PolicyOptions options;
        options.set("by", {drawn::in_range(0, 2)});
        answers_as(ShortestRemainingFirst::from(options));
    }));
    CHECK(check_property("las", [] {
        PolicyOptions options;
        options.set("by", {drawn::in_range(0, 2)});
        options.set("wake", {drawn::in_range(0, 2)});
        answers_as(LeastAttainedFirst::from(options));
    }));
    CHECK(check_property("gittins", [] {
        const std::int64_t longest = drawn::in_range<std::int64_t>(1, hour.count());
        PolicyOptions options;
        options.set("distribution", {1, longest / 2, longest, 3 * longest});
        options.set("queues", {longest / 3 + 1});
        options.set("ties", {drawn::in_range(0, 2)});
        options.set("wake", {drawn::in_range(0, 2)});
        const GittinsLevels levels = GittinsIndexFirst::from(options, Plan{});
        JobOrder order;
        order.service = levels.service();
        AnyMovingRule any{GittinsIndexFirst::from(options)};
        any.read_levels(view_of(order));
        answers_as(levels, any);
    }));
    CHECK(check_property("turns", [] { answers_as(TurnTaking{}); }));
}

} // namespace bursar::any_moving_test
