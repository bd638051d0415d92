#pragma once

#include "reports/sweep/sweep_table.hpp"

namespace bursar { inline namespace reports {

/// The latest end of the rows; 0 s where none has a result.
[[nodiscard]] Duration common_end(const SweepTable& table);

/// What owned and reserved capacity of a run costs from the run's own end to `end`, in
/// USD. 0 where the scenario says when the run ends.
[[nodiscard]] double cost_past_end(Duration end, const SweepRow& row);

/// The table with all rows paid to their common end, as `compare` pays variants: owned and reserved
/// capacity goes on from a run's own end, and nothing runs on it; on-demand and spot capacity is
/// paid to the own end, which the bill of the run has already.
///
/// In closed form, so that nothing is simulated twice and rows of other machines can be added
/// later: what changes is `cost.total`, `cost.paid`, `cost.per_productive_gpu_hour`,
/// `cost.by_purchase.owned` and `.reserved`, `gpu_hours.paid`, `ratios.allocation`,
/// `ratios.goodput`, and the leaves `idle.no_demand` and `unavail.reserved_unlaunched` of cost and
/// GPU-hours. To a millionth of a dollar and of a GPU-hour. Nodes that would be down after the own
/// end count as idle; energy, carbon, other costs, the length of the queue over time
/// (`metrics.queue_*`) and events of nodes (`events.*`) are those to the own end.
[[nodiscard]] SweepTable paid_to_common_end(SweepTable table);

}} // namespace bursar::reports
