#pragma once

#include <cassert>
#include <cstdint>

#include "sim/ledger/ledger.hpp"
#include "sim/plan/ids.hpp"
#include "sim/world/node_life.hpp"

namespace bursar { inline namespace sim {

/// What the nodes of a pool that take no work are doing, in slots that nobody holds: first those of
/// which nobody holds anything. Nodes that go are held yet by those who save or clean up.
class OfflineSplit {
  public:
    BURSAR_HD OfflineSplit(const PoolLife& life, std::int64_t slots_of_node, std::int64_t offline)
        : life_{life}, per_node_{slots_of_node},
          left_{offline - life.num(NodePhase::off) * slots_of_node} {}

    /// books: of a Ledger.
    template <class Books>
    BURSAR_HD void charge(Books& books, PoolId pool, std::int64_t begin_ms, std::int64_t end_ms) {
        begin_ms = books.begin_inside(begin_ms);
        end_ms = books.end_inside(end_ms);
        if (left_ == 0 || end_ms <= begin_ms)
            return;
        const auto charge = [&](Leaf leaf, std::uint32_t num_nodes) {
            if (num_nodes > 0)
                books.charge_slots(pool, books.nobody(), leaf, take(num_nodes), begin_ms, end_ms);
        };
        charge(Leaf::unavail_provisioning, life_.num(NodePhase::booting));
        charge(Leaf::unavail_spare, life_.num(NodePhase::spare));
        charge(Leaf::unavail_maintenance,
               life_.num(NodePhase::maintenance) + life_.num(NodePhase::closed));
        charge(Leaf::unavail_down, life_.num(NodePhase::down) + life_.num(NodePhase::draining));
        assert(left_ == 0);
    }

  private:
    [[nodiscard]] BURSAR_HD std::int64_t take(std::uint32_t num_nodes) {
        const std::int64_t most = num_nodes * per_node_;
        const std::int64_t part = most < left_ ? most : left_;
        left_ -= part;
        return part;
    }

    const PoolLife& life_;
    std::int64_t per_node_;
    std::int64_t left_;
};

}} // namespace bursar::sim
