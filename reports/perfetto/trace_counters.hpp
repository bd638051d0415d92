#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/units/units.hpp"

#include "reports/bill/pool_cost.hpp"
#include "reports/perfetto/trace_packets.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// The counters of a trace, which have the names of the columns of timeline.csv: what waits and
/// what is paid in all, and of each pool what is allocated, free and, where it varies, the price.
class TraceCounters {
  public:
    TraceCounters(const Result& result, TracePackets& out)
        : result_{result}, out_{out}, costs_{costs_of(result)}, unsaid_rows_(result.pools.size()) {}

    /// Precondition: the tracks of the queue and of the pools are there.
    void put_tracks();

    /// Takes note of a row of the timeline and says nothing yet.
    void pass(std::size_t row);
    /// Says at `now` how things stand after the rows that were passed.
    void open(Duration now);
    /// Says what a row of the timeline says.
    void put(std::size_t row);
    void put_price(std::size_t pool, Duration now);
    void put_costs(Duration now);
    /// Says at the end of the run what the whole ledger cost, which knows of what is paid past it.
    void put_total();

  private:
    void put_row(std::size_t row, Duration now);
    void note_cost(std::size_t row);

    const Result& result_;
    TracePackets& out_;
    std::vector<PoolCost> costs_;
    std::vector<std::optional<std::size_t>> unsaid_rows_; ///< the latest of each pool
};

}} // namespace bursar::reports
