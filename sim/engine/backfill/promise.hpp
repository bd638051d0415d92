#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/plan/ids.hpp"

namespace bursar::inline sim {

/// A reservation of conservative backfilling: a job will start on a pool at an instant and hold its
/// GPUs for so long, as believed.
struct Promise {
    std::int64_t start_ms{};
    std::int64_t hold_ms{}; ///< >= 1: also a job of no length has its turn
    PoolId pool{};
    std::uint32_t first_piece{}; ///< its nodes, where the forecast keeps them

    [[nodiscard]] BURSAR_HD std::int64_t end_ms() const { return start_ms + hold_ms; }
};

} // namespace bursar::inline sim
