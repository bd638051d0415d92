#include <doctest/doctest.h>

#include "policies/queue/dominant_share.hpp"
#include "policies/queue/fair_share.hpp"
#include "policies/queue/multifactor.hpp"
#include "policies/rules/any_tenant.hpp"

#include "tests/properties.hpp"

namespace bursar::any_tenant_test {
namespace {

PolicyOptions draw_options() {
    PolicyOptions options;
    if (drawn::boolean())
        options.set("half_life", {drawn::in_range<std::int64_t>(0, day.count())});
    options.set("period", {drawn::in_range<std::int64_t>(1, day.count())});
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
    use.slots = drawn::in_range<std::uint64_t>(0, 8'001);
    use.cpu_milli = drawn::in_range<std::uint64_t>(0, 64'001);
    use.memory_mib = drawn::in_range<std::uint64_t>(0, 4'097);
    use.average = use.slots << TenantUse::average_bits;
    const auto weight = drawn::in_range<std::uint32_t>(1, 10);
    const std::uint64_t share = rule.share(use, weight, totals);
    RC_ASSERT(any.share(use, weight, totals) == share);

    const auto merit = drawn::in_range<std::uint64_t>(0, 1U << 30U);
    const auto age_ms = drawn::in_range<std::int64_t>(0, 30 * day.count());
    RC_ASSERT(any.rank(share, merit, age_ms) == rule.rank(share, merit, age_ms));
}

} // namespace

TEST_CASE("AnyTenantRule agrees with the order of tenants that it was made from") {
    CHECK(check_property("fair-share", [] { answers_as(FairShare::from(draw_options())); }));
    CHECK(check_property("drf", [] { answers_as(DominantShare::from({})); }));
    CHECK(check_property("multifactor", [] { answers_as(Multifactor::from(draw_options())); }));
}

} // namespace bursar::any_tenant_test
