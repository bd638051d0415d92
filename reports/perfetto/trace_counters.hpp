#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/units/units.hpp"

#include "reports/bill/pool_cost.hpp"
#include "reports/perfetto/trace_packets.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// The counters of a trace, named like the columns of timeline.csv: the queue and the cost of the
/// fleet; for each pool allocated and free GPUs and, where it varies, the price.
class TraceCounters {
  public:
    TraceCounters(const Result& result, TracePackets& out)
        : result_{result}, out_{out}, costs_{costs_of(result)},
          unwritten_rows_(result.pools.size()) {}

    /// Precondition: the tracks of the queue and of the pools exist.
    void put_tracks();

    /// Records a row of the timeline before the drawn time, without writing.
    void pass(std::size_t row);
    /// Writes the state after the recorded rows, at `now`.
    void open(Duration now);
    /// Writes a row of the timeline.
    void put(std::size_t row);
    void put_price(std::size_t pool, Duration now);
    void put_costs(Duration now);
    /// Writes the cost of the whole ledger at the end of the run, with capacity billed past the
    /// end.
    void put_total();

  private:
    void put_row(std::size_t row, Duration now);
    void note_cost(std::size_t row);

    const Result& result_;
    TracePackets& out_;
    std::vector<PoolCost> costs_;
    std::vector<std::optional<std::size_t>> unwritten_rows_; ///< the latest of each pool
};

}} // namespace bursar::reports
