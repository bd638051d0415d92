#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/plan/tenant_quota.hpp"

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// Numbers of GPUs by pool: one number, of the only pool, or pools by name; a pool that is not
/// named has 0.
struct PoolGpus {
    std::optional<std::int64_t> only;
    std::vector<std::pair<std::string, std::int64_t>> pools;
};

/// A row of `tenants`: what a tenant may use, and how it lends and takes back.
struct TenantSpec {
    std::string name;
    std::string cohort; ///< empty: it neither lends nor borrows
    PoolGpus nominal;
    std::optional<PoolGpus> borrow_limit{}; ///< absent: whatever others lend
    std::optional<PoolGpus> lend_limit{};   ///< absent: all of its nominal quota
    Reclaim reclaim{Reclaim::never};
    PreemptWithin preempt{PreemptWithin::never};
    Place place{};
};

}} // namespace bursar::scenarios
