#include "models/reliability/renewal_efficiency.hpp"

#include <algorithm>
#include <cmath>

#include "models/errors/require.hpp"
#include "models/reliability/checkpoint_interval.hpp"
#include "models/reliability/expected_efficiency.hpp"
#include "models/scaling/golden_section.hpp"

namespace bursar { inline namespace models {
namespace {

constexpr int grid_points = 512;
constexpr double max_checkpoints = 1e8; // in one life; their sum takes a second

void check(const RenewalRun& run) {
    check(run.checkpoint);
    require_not_negative("restart", run.restart.count());
}

/// Σ_{k>=1} S(first + k·step), the constant hazard of the tail summed in closed form.
double sum_of_survival(const SurvivalFunction& life, Seconds first, Seconds step) {
    double sum = 0;
    for (double k = 1;; ++k) {
        const Seconds age = first + step * k;
        const double share = life.at(age);
        if (age >= life.end())
            return sum + (share > 0 ? share / -std::expm1(-life.tail_hazard() * step.count()) : 0);
        sum += share;
    }
}

} // namespace

double renewal_efficiency(const RenewalRun& run, Seconds interval) {
    check(run);
    check_interval(run.checkpoint, interval);
    const bool within = run.phase == RestartPhase::within_life;
    const Seconds first = run.checkpoint.background + (within ? run.restart : Seconds{});
    const Seconds cycle = run.life.mean() + (within ? Seconds{} : run.restart);
    const Seconds step = interval + run.checkpoint.blocking;
    if (run.life.end() / step > max_checkpoints)
        throw ModelError{"interval", "makes more than a hundred million checkpoints in a life", ""};
    const double kept = sum_of_survival(run.life, first, step);
    const double slowed = kept - run.life.at(first + step); // all but the first of a life
    return (interval * kept - interference_loss(run.checkpoint, interval) * slowed) / cycle;
}

Seconds optimal_interval(const RenewalRun& run) {
    check(run);
    const Seconds shortest = min_interval(run.checkpoint);
    const Seconds cost = run.checkpoint.blocking + run.checkpoint.background;
    const Seconds young = young_interval(cost, run.life.mean());
    const double low = std::log(std::max({young / 64.0, shortest, run.life.end() / 1e5}).count());
    const double high = std::max(std::log(run.life.age_reached_by(1e-3).count()), low + 1);
    const auto efficiency = [&](double log_interval) {
        return renewal_efficiency(run, std::max(Seconds{std::exp(log_interval)}, shortest));
    };
    const double step = (high - low) / (grid_points - 1);
    double best = low;
    double best_efficiency = efficiency(low);
    for (int i = 1; i < grid_points; ++i) {
        const double candidate = low + i * step;
        const double value = efficiency(candidate);
        if (value > best_efficiency) {
            best = candidate;
            best_efficiency = value;
        }
    }
    const double refined = golden_section(std::max(low, best - step),
                                          std::min(high, best + step),
                                          [&](double at) { return -efficiency(at); });
    if (efficiency(refined) > best_efficiency)
        best = refined;
    return std::max(Seconds{std::exp(best)}, shortest);
}

}} // namespace bursar::models
