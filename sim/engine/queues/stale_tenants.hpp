#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// The tenants whose jobs have to be ranked anew before somebody asks who is first: what changes
/// several times meanwhile is ranked once, and what nobody asks for never.
class StaleTenants {
  public:
    StaleTenants() = default;
    BURSAR_HD StaleTenants(ArenaCarver& carver, std::uint32_t num_tenants)
        : num_tenants_{num_tenants}, list_{carver.take<TenantId>(num_tenants)},
          listed_{carver.take<bool>(num_tenants)} {}

    /// All of them: nothing has been ranked yet.
    BURSAR_HD void clear() {
        num_listed_ = 0;
        for (TenantId tenant{0}; tenant < num_tenants_; ++tenant) {
            list_[num_listed_++] = tenant;
            listed_[tenant] = true;
        }
    }

    [[nodiscard]] BURSAR_HD bool has(TenantId tenant) const { return listed_[tenant]; }
    BURSAR_HD void add(TenantId tenant) {
        if (listed_[tenant])
            return;
        listed_[tenant] = true;
        list_[num_listed_++] = tenant;
    }
    /// Takes each out, in no order, and calls `act(tenant)`.
    template <class Act>
    BURSAR_HD void take_all(const Act& act) {
        while (num_listed_ > 0) {
            const TenantId tenant = list_[--num_listed_];
            listed_[tenant] = false;
            act(tenant);
        }
    }

  private:
    std::uint32_t num_tenants_{};
    std::uint32_t num_listed_{};
    TenantId* list_{};
    bool* listed_{};
};

}} // namespace bursar::sim
