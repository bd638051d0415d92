#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/engine/queues/tenant_use.hpp"

#include "policies/rules/dominant_share.hpp"
#include "policies/rules/fair_share.hpp"
#include "policies/rules/multifactor.hpp"

namespace bursar { inline namespace policies {

/// Any order of tenants, chosen at the start of a run. One instance of the engine serves them all;
/// each share and rank costs a branch that never changes during a run.
class AnyTenantRule {
    enum class Kind : std::uint8_t { fair_share, dominant_share, multifactor };

    template <class Ask>
    [[nodiscard]] BURSAR_HD auto with(const Ask& ask) const {
        switch (kind_) {
        case Kind::dominant_share:
            return ask(dominant_share_);
        case Kind::multifactor:
            return ask(multifactor_);
        case Kind::fair_share:
            break;
        }
        return ask(fair_share_);
    }

  public:
    static constexpr OrderTraits traits{.by = OrderBy::tenants};

    AnyTenantRule() = default;
    explicit AnyTenantRule(const FairShareRule& rule)
        : kind_{Kind::fair_share}, fair_share_{rule} {}
    explicit AnyTenantRule(const DominantShareRule& rule)
        : kind_{Kind::dominant_share}, dominant_share_{rule} {}
    explicit AnyTenantRule(const MultifactorRule& rule)
        : kind_{Kind::multifactor}, multifactor_{rule} {}

    [[nodiscard]] BURSAR_HD UseMemory memory() const {
        return with([](const auto& rule) { return rule.memory(); });
    }
    [[nodiscard]] BURSAR_HD bool follows_time() const {
        return with([](const auto& rule) { return rule.follows_time(); });
    }
    [[nodiscard]] BURSAR_HD bool reads_ages() const {
        return with([](const auto& rule) { return rule.reads_ages(); });
    }
    [[nodiscard]] BURSAR_HD std::uint64_t
    share(const TenantUse& use, std::uint32_t weight, const FleetTotals& totals) const {
        return with([&](const auto& rule) { return rule.share(use, weight, totals); });
    }
    [[nodiscard]] BURSAR_HD std::uint64_t
    rank(std::uint64_t share, std::uint64_t merit, std::int64_t age_ms) const {
        return with([&](const auto& rule) { return rule.rank(share, merit, age_ms); });
    }

  private:
    Kind kind_{Kind::fair_share};
    FairShareRule fair_share_{};
    DominantShareRule dominant_share_{};
    MultifactorRule multifactor_{};
};

}} // namespace bursar::policies
