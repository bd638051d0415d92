#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "models/random/philox.hpp"
#include "models/reliability/expected_efficiency.hpp"

namespace bursar::test {

/// An event-by-event simulation of a run that computes, dumps, fails and restarts, to check the
/// closed forms. It shares no formula with them.
class CheckpointSimulation {
  public:
    /// life(u): the life that a uniform u in (0, 1) draws. lives_restart: whether a life already
    /// runs during the restart before it.
    CheckpointSimulation(const CheckpointCost& cost,
                         double restart,
                         double interval,
                         std::function<double(double)> life,
                         bool lives_restart)
        : cost_{cost}, restart_{restart}, interval_{interval}, life_{std::move(life)},
          lives_restart_{lives_restart} {}

    /// Progress that was kept over the time it took, after `failures` failures.
    double efficiency(std::uint64_t replica, std::uint32_t failures) const {
        const RandomStream draws{20'260'131, Stream::run_times};
        double kept = 0;
        double time = 0;
        for (std::uint32_t n = 0; n < failures; ++n) {
            const double life = life_(draws.uniform(replica, n));
            const double up = lives_restart_ ? life - restart_ : life;
            time += lives_restart_ ? life : life + restart_;
            kept += up > 0 ? kept_in(up) : 0;
        }
        return kept / time;
    }

  private:
    enum class Phase { compute, dump };

    /// Progress that is durable when a life of `length` ends.
    double kept_in(double length) const {
        constexpr double never = std::numeric_limits<double>::infinity();
        double now = 0;
        double done = 0;        // progress of this life
        double copied = 0;      // progress in the last finished dump
        double durable = 0;     // progress that survives a failure now
        double written = never; // when the background write ends
        double next = interval_;
        Phase phase = Phase::compute;
        while (true) {
            const double event = std::min({next, written, length});
            if (phase == Phase::compute)
                done += (event - now) * (written == never ? 1 : 1 - cost_.interference);
            now = event;
            if (event == length)
                return durable;
            if (event == written) {
                durable = copied;
                written = never;
                continue;
            }
            if (phase == Phase::compute) {
                phase = Phase::dump;
                next = now + cost_.blocking.count();
                continue;
            }
            copied = done;
            if (cost_.background > Seconds{})
                written = now + cost_.background.count();
            else
                durable = copied;
            phase = Phase::compute;
            next = now + interval_;
        }
    }

    CheckpointCost cost_;
    double restart_;
    double interval_;
    std::function<double(double)> life_;
    bool lives_restart_;
};

/// Mean of independent replicas and the standard error of that mean.
struct Estimate {
    double mean{};
    double error{};
};

inline Estimate estimate(const CheckpointSimulation& simulation) {
    constexpr std::uint64_t replicas = 100;
    constexpr std::uint32_t failures = 1000;
    double sum = 0;
    double squares = 0;
    for (std::uint64_t replica = 0; replica < replicas; ++replica) {
        const double value = simulation.efficiency(replica, failures);
        sum += value;
        squares += value * value;
    }
    const double n = replicas;
    const double mean = sum / n;
    return {mean, std::sqrt((squares / n - mean * mean) / (n - 1))};
}

} // namespace bursar::test
