#include "tools/simulate/other_costs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "models/market/commitment.hpp"

namespace bursar::inline tools {
namespace {

/// What the pools of a commitment cost.
Money spent_on(const CommitmentSpec& commitment, const Result& result) {
    Money spent{};
    for (const ResultCell& cell : result.cells)
        if (std::ranges::find(commitment.pools, result.pools[cell.pool].name) !=
            commitment.pools.end())
            spent += cell.cost;
    return spent;
}

void add_commitments(const Scenario& scenario, Result& result) {
    for (const CommitmentSpec& commitment : scenario.commitments) {
        const Money owed = committed(commitment.spend.nano_usd,
                                     commitment.spend.period,
                                     result.window_end - result.window_begin);
        result.run.other_costs.push_back({fmt::format("unused commitment {}", commitment.name),
                                          shortfall(owed, spent_on(commitment, result))});
        result.run.assumed.push_back(
            fmt::format("commitment {} is settled over the run as a whole; where each hour is "
                        "settled by itself, at least as much is unused",
                        commitment.name));
    }
}

} // namespace

void add_other_costs(const CompiledRun& run, Result& result) {
    add_commitments(run.scenario, result);
}

} // namespace bursar::inline tools
