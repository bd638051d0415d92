#pragma once

#include <cstdint>

#include "sim/plan/ids.hpp"

namespace bursar::inline sim {

/// A pending job that a queue offers; `none` as job when there is nothing to offer.
struct Candidate {
    static constexpr std::uint32_t no_job = 0xffffffffU;
    std::uint32_t job{no_job};
    ShapeId shape{};
};

} // namespace bursar::inline sim
