#include "models/market/markov_supply.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "models/errors/model_error.hpp"
#include "models/errors/require.hpp"
#include "models/random/normal.hpp"
#include "models/random/philox.hpp"

namespace bursar { inline namespace models {
namespace {

/// Shares of time of a chain with these rates; NaN if a state has no way to an earlier one.
std::vector<double> long_run_shares(std::vector<double> rate, std::size_t n) {
    for (std::size_t k = n; k-- > 1;) {
        double down = 0;
        for (std::size_t j = 0; j < k; ++j)
            down += rate[k * n + j];
        for (std::size_t i = 0; i < k; ++i) {
            rate[i * n + k] /= down;
            for (std::size_t j = 0; j < k; ++j)
                rate[i * n + j] += rate[i * n + k] * rate[k * n + j];
        }
    }
    std::vector<double> share(n, 0.0);
    share[0] = 1;
    double sum = 1;
    for (std::size_t k = 1; k < n; ++k) {
        for (std::size_t i = 0; i < k; ++i)
            share[k] += share[i] * rate[i * n + k];
        sum += share[k];
    }
    for (double& s : share)
        s /= sum;
    return share;
}

void check_states(const std::vector<std::int32_t>& nodes, const std::vector<double>& per_hour) {
    if (nodes.size() < 2)
        throw ModelError{"states", "fewer than two", "a number of nodes that never changes is one"};
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i] < 0 || (i > 0 && nodes[i] <= nodes[i - 1]))
            throw ModelError{"states", "numbers of nodes do not ascend from 0 or above", {}};
    if (per_hour.size() != nodes.size() * nodes.size())
        throw ModelError{"rates", "not one for each state and each other", {}};
    for (const double rate : per_hour)
        require_not_negative("rates", rate);
}

} // namespace

MarkovSupply::MarkovSupply(std::vector<std::int32_t> nodes, std::vector<double> per_hour)
    : nodes_{std::move(nodes)}, per_hour_{std::move(per_hour)} {
    check_states(nodes_, per_hour_);
    shares_ = long_run_shares(per_hour_, nodes_.size());
    for (const double share : shares_)
        if (!(share > 0 && share <= 1))
            throw ModelError{"rates", "a state is never left or never reached", {}};
}

double MarkovSupply::leave_per_hour(std::size_t state) const {
    double sum = 0;
    for (std::size_t to = 0; to < nodes_.size(); ++to)
        sum += to == state ? 0.0 : per_hour(state, to);
    return sum;
}

double MarkovSupply::mean_nodes() const {
    double mean = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        mean += shares_[i] * nodes_[i];
    return mean;
}

double MarkovSupply::reclaims_per_day() const {
    constexpr double hours_per_day = 24;
    double sum = 0;
    for (std::size_t from = 0; from < nodes_.size(); ++from)
        for (std::size_t to = 0; to < from; ++to)
            sum += shares_[from] * per_hour(from, to) * (nodes_[from] - nodes_[to]);
    return sum * hours_per_day;
}

MarkovSupply fit_markov(const SupplySeries& supply) {
    std::vector<std::int32_t> states;
    for (const SupplyStep& step : supply.steps())
        states.push_back(step.nodes);
    // If the series ends at its last step, that number was observed for no time.
    if (supply.steps().back().time_ms == supply.end().count())
        states.pop_back();
    std::vector<std::int32_t> nodes = states;
    std::ranges::sort(nodes);
    const auto same = std::ranges::unique(nodes);
    nodes.erase(same.begin(), same.end());

    const std::size_t n = nodes.size();
    std::vector<double> jumps(n * n, 0.0);
    std::vector<double> hours(n, 0.0);
    const auto index = [&](std::size_t step) {
        return static_cast<std::size_t>(std::ranges::lower_bound(nodes, states[step]) -
                                        nodes.begin());
    };
    for (std::size_t i = 0; i < states.size(); ++i) {
        const std::size_t next = i + 1 < states.size() ? i + 1 : 0;
        const std::int64_t until =
            i + 1 < supply.steps().size() ? supply.steps()[i + 1].time_ms : supply.end().count();
        hours[index(i)] += static_cast<double>(until - supply.steps()[i].time_ms) /
                           static_cast<double>(hour.count());
        jumps[index(i) * n + index(next)] += 1;
    }
    for (std::size_t i = 0; i < n * n; ++i)
        jumps[i] = i % (n + 1) == 0 ? 0.0 : jumps[i] / hours[i / n];
    return {std::move(nodes), std::move(jumps)};
}

SupplySeries
generate(const MarkovSupply& supply, Duration horizon, std::uint64_t seed, SupplyEntity entity) {
    assert(horizon >= millisecond);
    const RandomStream random{seed, Stream::supply_states};
    const std::size_t n = supply.nodes().size();
    /// The first of n at which the sum of weights exceeds a share u of `all`.
    const auto drawn = [&](double u, double all, const auto& weight) {
        double left = u * all;
        std::size_t last = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (weight(i) <= 0)
                continue;
            last = i;
            left -= weight(i);
            if (left < 0)
                break;
        }
        return last;
    };
    std::uint32_t draw = 0;
    const auto uniform = [&] { return random.uniform(entity.pool, draw++); };
    std::size_t state = drawn(uniform(), 1, [&](std::size_t i) { return supply.shares()[i]; });
    std::vector<SupplyStep> steps;
    for (std::int64_t at = 0; at < horizon.count();) {
        steps.push_back({at, supply.nodes()[state]});
        const double leave = supply.leave_per_hour(state);
        const double ms = -portable_log(uniform()) / leave * static_cast<double>(hour.count());
        at += std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(ms, 0x1.0p61) + 0.5));
        state = drawn(uniform(), leave, [&](std::size_t to) {
            return to == state ? 0.0 : supply.per_hour(state, to);
        });
    }
    return {std::move(steps), horizon};
}

}} // namespace bursar::models
