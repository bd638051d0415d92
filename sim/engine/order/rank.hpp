#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar::inline sim {

/// A job's place in the order: least first.
struct Rank {
    std::uint64_t key{};
    std::uint64_t tie{}; ///< differs between any two jobs of equal key

    friend BURSAR_HD bool operator<(const Rank& a, const Rank& b) {
        return a.key != b.key ? a.key < b.key : a.tie < b.tie;
    }
};

} // namespace bursar::inline sim
