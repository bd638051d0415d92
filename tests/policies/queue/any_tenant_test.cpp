#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "policies/queue/dominant_share.hpp"
#include "policies/queue/fair_share.hpp"
#include "policies/queue/multifactor.hpp"
#include "policies/rules/any_tenant.hpp"

namespace bursar::any_tenant_test {
namespace {

PolicyOptions draw_options() {
    PolicyOptions options;
    if (*rc::gen::arbitrary<bool>())
        options.set("half_life", {*rc::gen::inRange<std::int64_t>(0, day.count())});
    options.set("period", {*rc::gen::inRange<std::int64_t>(1, day.count())});
    return options;
}

template <class Rule>
void answers_as(const Rule& rule) {
    const AnyTenantRule any{rule};
    RC_ASSERT(any.reads_ages() == rule.reads_ages());
    RC_ASSERT(any.memory().half_life_ms == rule.memory().half_life_ms);
    RC_ASSERT(any.memory().period_ms == rule.memory().period_ms);
    RC_ASSERT(any.follows_time() == rule.follows_time());

    const FleetTotals totals{8'000, 64'000, 4'096, 10};
    TenantUse use;
    use.slots = *rc::gen::inRange<std::uint64_t>(0, 8'001);
    use.cpu_milli = *rc::gen::inRange<std::uint64_t>(0, 64'001);
    use.memory_mib = *rc::gen::inRange<std::uint64_t>(0, 4'097);
    use.average = use.slots << TenantUse::average_bits;
    const auto weight = *rc::gen::inRange<std::uint32_t>(1, 10);
    const std::uint64_t share = rule.share(use, weight, totals);
    RC_ASSERT(any.share(use, weight, totals) == share);

    const auto merit = *rc::gen::inRange<std::uint64_t>(0, 1U << 30U);
    const auto age_ms = *rc::gen::inRange<std::int64_t>(0, 30 * day.count());
    RC_ASSERT(any.rank(share, merit, age_ms) == rule.rank(share, merit, age_ms));
}

} // namespace

TEST_CASE("AnyTenantRule agrees with the order of tenants that it was made from") {
    CHECK(rc::check("fair-share", [] { answers_as(FairShare::from(draw_options())); }));
    CHECK(rc::check("drf", [] { answers_as(DominantShare::from({})); }));
    CHECK(rc::check("multifactor", [] { answers_as(Multifactor::from(draw_options())); }));
}

} // namespace bursar::any_tenant_test
