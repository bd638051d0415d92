#include "models/network/algorithms.hpp"

#include <algorithm>
#include <array>
#include <bit>
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

double
link_rate(const GroupShape::Crossing& crossing, Protocol protocol, const CollectiveTuning& tuning) {
    const LinkLevel& level = *crossing.level;
    const double loss = 2 * level.pair_loss / static_cast<double>(crossing.parts);
    const double share = protocol == Protocol::low_latency ? level.low_latency.efficiency
                                                           : level.efficiency * (1 - loss);
    return level.bandwidth.count() * tuning.reached(share) *
           wired_share(level.wiring, crossing.parts, level.gpus);
}

bool has_low_latency(const GroupShape& shape) {
    return std::all_of(shape.begin(), shape.end(), [](const GroupShape::Crossing& crossing) {
        return crossing.level->low_latency.efficiency > 0;
    });
}

namespace {

using Crossing = GroupShape::Crossing;

double ceil_log2(std::int64_t n) {
    return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
}

/// All-reduce goes through the ranks twice: reduce-scatter, then all-gather.
double rounds(Collective kind) {
    return kind == Collective::all_reduce ? 2 : 1;
}

/// Adds up the cost of one algorithm under one protocol, level by level.
class Traffic {
  public:
    Traffic(const CollectiveCall& call, Protocol protocol) : call_{call}, protocol_{protocol} {}

    void hops(const Crossing& crossing, double count) {
        startup_ = std::max(startup_, startup(*crossing.level, protocol_).count());
        hops_ += count * latency(*crossing.level, protocol_).count();
    }

    /// bytes: sent by one GPU over this level.
    void send(const Crossing& crossing, double bytes) {
        const double time = bytes / link_rate(crossing, protocol_, call_.tuning);
        sum_ += time;
        longest_ = std::max(longest_, time);
        if (crossing.in_node)
            intra_ += time;
        else
            inter_ += time;
    }

    /// not_hidden: share of the shorter phases that adds to the time.
    [[nodiscard]] CollectiveCost cost(CollectiveAlgorithm algorithm, double not_hidden) const {
        const double total = longest_ + not_hidden * (sum_ - longest_);
        return {.algorithm = algorithm,
                .latency = Seconds{startup_ + hops_},
                .intra = Seconds{intra_},
                .inter = Seconds{inter_},
                .hidden = Seconds{intra_ + inter_ - total}};
    }

  private:
    const CollectiveCall& call_;
    Protocol protocol_;
    double startup_{};
    double hops_{};
    double sum_{};
    double longest_{};
    double intra_{};
    double inter_{};
};

/// The faster protocol of `cost_by(protocol)`.
template <class CostBy>
CollectiveCost faster_protocol(const CollectiveCall& call, CostBy cost_by) {
    const CollectiveCost bulk = cost_by(Protocol::bulk);
    if (!has_low_latency(call.shape))
        return bulk;
    const CollectiveCost low_latency = cost_by(Protocol::low_latency);
    return low_latency.total() < bulk.total() ? low_latency : bulk;
}

double as_double(std::int64_t n) {
    return static_cast<double>(n);
}

} // namespace

std::optional<CollectiveCost> ring_cost(const CollectiveCall& call) {
    if (call.kind == Collective::all_to_all)
        return std::nullopt;
    const double wire = bus_factor(call.kind, call.shape.ranks) * call.volume.count();
    return faster_protocol(call, [&](Protocol protocol) {
        Traffic traffic{call, protocol};
        for (const Crossing& crossing : call.shape) {
            traffic.hops(crossing, rounds(call.kind) * crossing.hops);
            traffic.send(crossing, wire / as_double(crossing.inside));
        }
        return traffic.cost(CollectiveAlgorithm::ring, 0);
    });
}

std::optional<CollectiveCost> tree_cost(const CollectiveCall& call) {
    if (call.kind != Collective::all_reduce && call.kind != Collective::broadcast)
        return std::nullopt;
    return faster_protocol(call, [&](Protocol protocol) {
        Traffic traffic{call, protocol};
        for (const Crossing& crossing : call.shape) {
            const double depth =
                crossing.in_node ? as_double(crossing.parts - 1) : ceil_log2(crossing.parts);
            traffic.hops(crossing, rounds(call.kind) * depth);
            traffic.send(crossing,
                         rounds(call.kind) * call.volume.count() / as_double(crossing.inside));
        }
        return traffic.cost(CollectiveAlgorithm::tree, 0);
    });
}

std::optional<CollectiveCost> halving_doubling_cost(const CollectiveCall& call) {
    if (call.kind == Collective::all_to_all || call.kind == Collective::broadcast)
        return std::nullopt;
    return faster_protocol(call, [&](Protocol protocol) {
        Traffic traffic{call, protocol};
        double left = call.volume.count();
        for (const Crossing& crossing : call.shape) {
            const double parts = as_double(crossing.parts);
            traffic.hops(crossing, rounds(call.kind) * ceil_log2(crossing.parts));
            traffic.send(crossing, rounds(call.kind) * left * (parts - 1) / parts);
            left /= parts;
        }
        return traffic.cost(CollectiveAlgorithm::halving_doubling, 1);
    });
}

std::optional<CollectiveCost> in_network_cost(const CollectiveCall& call) {
    const Crossing& crossing = *call.shape.begin();
    const LinkLevel& level = *crossing.level;
    if (call.kind != Collective::all_reduce || !call.shape.one_level() ||
        !level.in_network_reduction || call.shape.ranks < level.reduction.ranks)
        return std::nullopt;
    const double n = as_double(call.shape.ranks);
    const double rate = level.bandwidth.count() * call.tuning.reached(level.reduction.efficiency);
    return CollectiveCost{.algorithm = CollectiveAlgorithm::in_network,
                          .latency = level.reduction.startup,
                          .intra = Seconds{(n + 1) / n * call.volume.count() / rate}};
}

std::optional<CollectiveCost> hierarchical_cost(const CollectiveCall& call) {
    if (call.shape.one_level() || call.kind == Collective::all_to_all ||
        call.kind == Collective::broadcast)
        return std::nullopt;
    return faster_protocol(call, [&](Protocol protocol) {
        Traffic traffic{call, protocol};
        for (const Crossing& crossing : call.shape) {
            const double parts = as_double(crossing.parts);
            const double left = call.volume.count() / as_double(crossing.inside);
            traffic.hops(crossing, rounds(call.kind) * (parts - 1));
            traffic.send(crossing, rounds(call.kind) * left * (parts - 1) / parts);
        }
        return traffic.cost(CollectiveAlgorithm::hierarchical, call.tuning.phase_overlap);
    });
}

std::optional<CollectiveCost> direct_cost(const CollectiveCall& call) {
    if (call.kind != Collective::all_to_all)
        return std::nullopt;
    const double n = as_double(call.shape.ranks);
    return faster_protocol(call, [&](Protocol protocol) {
        Traffic traffic{call, protocol};
        for (const Crossing& crossing : call.shape) {
            const double inside = as_double(crossing.inside);
            const double reached = inside * as_double(crossing.parts);
            traffic.hops(crossing, std::min(reached, n) - inside);
            // Traffic that leaves a node crosses every level; traffic inside it, only the first.
            const double peers = crossing.in_node ? std::min(reached, n) - inside : n - inside;
            traffic.send(crossing, call.volume.count() * peers / n);
        }
        return traffic.cost(CollectiveAlgorithm::direct, 0);
    });
}

std::optional<CollectiveCost> grouped_cost(const CollectiveCall& call) {
    if (call.kind != Collective::all_to_all || call.shape.one_level())
        return std::nullopt;
    const double n = as_double(call.shape.ranks);
    return faster_protocol(call, [&](Protocol protocol) {
        Traffic traffic{call, protocol};
        for (const Crossing& crossing : call.shape) {
            const double parts = as_double(crossing.parts);
            const double share =
                crossing.in_node ? (parts - 1) / parts : (n - as_double(crossing.inside)) / n;
            traffic.hops(crossing, parts - 1);
            traffic.send(crossing, call.volume.count() * share);
        }
        return traffic.cost(CollectiveAlgorithm::grouped, call.tuning.phase_overlap);
    });
}

}} // namespace bursar::models
