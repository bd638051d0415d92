#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

#include "sim/arena/arena.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// The least of an array of changing entries: the leaves of a tree whose inner nodes hold the
/// lesser of two children. A change costs the levels that it affects.
class Tournament {
  public:
    /// A pending job, ordered by level, then rank, then submit order; each least first. By default
    /// none, which comes last.
    class Entry {
      public:
        Entry() = default;
        BURSAR_HD Entry(std::uint32_t level, std::uint64_t rank, JobId job)
            : order_{uint128{level} << 96U | uint128{rank} << 32U | std::uint32_t{job}} {}

        [[nodiscard]] BURSAR_HD JobId job() const {
            return JobId{static_cast<std::uint32_t>(order_)};
        }
        [[nodiscard]] BURSAR_HD bool is_none() const { return job() == Candidate::no_job(); }
        friend BURSAR_HD bool operator<(const Entry& a, const Entry& b) {
            return a.order_ < b.order_;
        }
        friend BURSAR_HD bool operator==(const Entry& a, const Entry& b) {
            return a.order_ == b.order_;
        }

      private:
        uint128 order_{~uint128{0}};
    };

    Tournament() = default;
    BURSAR_HD Tournament(ArenaCarver& carver, std::uint32_t size)
        : nodes_{carver.take<Entry>(2 * std::size_t{size})}, size_{size} {}

    BURSAR_HD void clear() {
        for (std::size_t i = 0; i < 2 * std::size_t{size_}; ++i)
            nodes_[i] = {};
    }

    /// Precondition: it has places, and each put() was followed by a renew().
    [[nodiscard]] BURSAR_HD const Entry& first() const { return nodes_[1]; }
    [[nodiscard]] BURSAR_HD const Entry& operator[](std::uint32_t place) const {
        return nodes_[size_ + place];
    }

    /// Sets the entry of `place`.
    BURSAR_HD void set(std::uint32_t place, const Entry& entry) {
        nodes_[size_ + place] = entry;
        follow(size_ + place);
    }

    /// The same without updating inner nodes; call renew() after a batch.
    BURSAR_HD void put(std::uint32_t place, const Entry& entry) { nodes_[size_ + place] = entry; }
    /// Updates inner nodes after put() at [begin, end).
    BURSAR_HD void renew(std::uint32_t begin, std::uint32_t end) {
        if (begin == end)
            return;
        std::uint32_t low = size_ + begin;
        std::uint32_t high = size_ + end - 1;
        while (low < high) {
            low = low > 3 ? low / 2 : 1;
            high /= 2;
            for (std::uint32_t node = high; node >= low; --node) // children before parents
                nodes_[node] = lesser(nodes_[2 * node], nodes_[2 * node + 1]);
        }
        follow(low);
    }

    /// Calls `look(place, entry)` for places whose entries come before `bound()`, which may fall
    /// meanwhile; roughly best first.
    template <class Bound, class Look>
    BURSAR_HD void look_before(const Bound& bound, const Look& look) const {
        std::uint32_t open[max_open];
        unsigned num_open = 0;
        open[num_open++] = 1;
        while (num_open > 0) {
            const std::uint32_t node = open[--num_open];
            if (!(nodes_[node] < bound()))
                continue;
            if (node >= size_) {
                look(node - size_, nodes_[node]);
                continue;
            }
            const bool right_first = nodes_[2 * node + 1] < nodes_[2 * node];
            open[num_open++] = 2 * node + (right_first ? 0 : 1);
            open[num_open++] = 2 * node + (right_first ? 1 : 0);
        }
    }

  private:
    /// Updates the nodes above a new entry at `node`.
    BURSAR_HD void follow(std::uint32_t node) {
        for (; node > 1; node /= 2) {
            const Entry better = lesser(nodes_[node], nodes_[node ^ 1U]);
            Entry& parent = nodes_[node / 2];
            if (parent == better)
                return;
            parent = better;
        }
    }

    static constexpr unsigned max_open = 64; ///< one per level, and the current one

    [[nodiscard]] BURSAR_HD static Entry lesser(const Entry& a, const Entry& b) {
        return b < a ? b : a;
    }

    /// Nodes 1 .. n - 1 are inner ones, the children of node i are 2i and 2i + 1, and place i is
    /// node n + i. With one place, that is the root.
    Entry* nodes_{};
    std::uint32_t size_{};
};

}} // namespace bursar::sim
