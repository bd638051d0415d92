#pragma once

#include <cstdint>

#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// A pending job that a queue offers; no_job() as job when there is nothing to offer.
struct Candidate {
    [[nodiscard]] BURSAR_HD static constexpr JobId no_job() { return JobId{0xffffffffU}; }
    JobId job{no_job()};
    ShapeId shape{};
};

}} // namespace bursar::sim
