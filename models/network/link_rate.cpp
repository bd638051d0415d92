#include "models/network/link_rate.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace bursar { inline namespace models {

double wired_share(Wiring wiring, std::int64_t ranks, std::int64_t gpus) {
    assert(ranks >= 2);
    if (wiring == Wiring::switched || ranks >= gpus)
        return 1;
    if (wiring == Wiring::full_mesh)
        return static_cast<double>(ranks - 1) / static_cast<double>(gpus - 1);
    constexpr std::array<double, 6> rings{1, 2, 4, 1.65, 2, 4}; // n = 2..7
    constexpr double links = 6;
    const auto index = static_cast<std::size_t>(std::min<std::int64_t>(ranks, 7) - 2);
    return rings[index] / links;
}

double link_rate(const GroupShape::Crossing& crossing, Protocol protocol) {
    const LinkLevel& level = *crossing.level;
    if (protocol == Protocol::low_latency)
        return level.bandwidth.count() * level.low_latency.efficiency *
               wired_share(level.wiring, crossing.parts, level.gpus);
    const double loss = 2 * level.pair_loss / static_cast<double>(crossing.parts);
    return level.bandwidth.count() * level.efficiency * (1 - loss) *
           wired_share(level.wiring, crossing.parts, level.gpus);
}

bool has_low_latency(const GroupShape& shape) {
    return std::all_of(shape.begin(), shape.end(), [](const GroupShape::Crossing& crossing) {
        return crossing.level->low_latency.efficiency > 0;
    });
}

}} // namespace bursar::models
