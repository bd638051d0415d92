#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// A pending job that a queue offers; its job is no_job() if there is none.
struct Candidate {
    [[nodiscard]] BURSAR_HD static constexpr JobId no_job() { return JobId{0xffffffffU}; }
    JobId job{no_job()};
    ShapeId shape{};
};

/// A job's place in the order: least first.
struct Rank {
    std::uint64_t key{};
    std::uint64_t tie{}; ///< unique among jobs of equal key

    /// After all others.
    [[nodiscard]] BURSAR_HD static Rank last() { return {~std::uint64_t{0}, ~std::uint64_t{0}}; }

    /// One number, so that comparing takes no branch.
    friend BURSAR_HD bool operator<(const Rank& a, const Rank& b) { return a.whole() < b.whole(); }

  private:
    [[nodiscard]] BURSAR_HD uint128 whole() const { return uint128{key} << 64U | tie; }
};

}} // namespace bursar::sim
