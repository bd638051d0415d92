#pragma once

#include <cstddef>

#include "policies/allocator/fractions.hpp"

namespace bursar { inline namespace policies {

/// GPU time in equal parts, whatever GPUs are worth to jobs: of all jobs together it rises step by
/// step, by their tenants' weights. A job that has all its time stops rising, and so does one
/// whose pools are full. Each spreads what it gets over the pools that it may use as these are
/// left, so that a job may end below others only where it may use fewer pools.
///
/// Pools take turns in giving their GPUs first, as it is not known which ones are better.
class EqualTimeAllocator : public FractionAllocator {
    using FractionAllocator::FractionAllocator;

    [[nodiscard]] bool turns_pools() const override { return true; }
    Fractions solve(const AllocationView& view) override;
};

}} // namespace bursar::policies
