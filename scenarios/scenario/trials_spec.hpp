#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/units/units.hpp"

namespace bursar { inline namespace scenarios {

/// Values of trials' metrics, as a file has them.
struct TrialCurves {
    struct Point {
        double at{};    ///< share of the full run, 0 to 1
        double value{}; ///< lower is better
    };

    std::string file;
    /// By trial, in order of `at`, which differ. No trial is without points.
    std::vector<std::vector<Point>> points;
    std::uint64_t hash{};
};

/// How trials of one group are stopped before their end: at most one of rungs, plateau and early.
struct TrialsSpec {
    /// Ends a trial that has not improved.
    struct Plateau {
        std::int64_t patience{};       ///< reports in a row without improvement, >= 1
        double min_delta{};            ///< a smaller gain is no improvement, >= 0
        std::optional<double> every{}; ///< between reports, as share of the run; absent: 0.05
    };
    /// Stops the worst at one time.
    struct Early {
        double share{}; ///< of the trials, 0 or above and below 1
        double at{};    ///< as share of the run, likewise
    };
    /// A short run of each trial before the rest.
    struct Smoke {
        Duration duration{};                ///< > 0
        std::optional<std::int64_t> gpus{}; ///< absent: as the trial
        double fail{};                      ///< share of the trials that it stops, 0 to 1
    };

    std::vector<double> rungs;    ///< ascending, the last is the full run; empty: none
    std::optional<double> keep{}; ///< share of a rung's trials that go on; with rungs
    std::optional<Plateau> plateau{};
    std::optional<Early> early{};
    std::optional<Smoke> smoke{};
    std::shared_ptr<const TrialCurves> curves{}; ///< null: drawn

    /// Whether runs with different seeds stop other trials.
    [[nodiscard]] bool is_drawn() const {
        const bool ranks = !rungs.empty() || plateau || early;
        return (ranks && !curves) || (smoke && smoke->fail > 0);
    }
    /// Jobs, one after the other, that a trial can have.
    [[nodiscard]] std::int64_t max_stages() const {
        return static_cast<std::int64_t>(rungs.empty() ? 1 : rungs.size()) + (smoke ? 1 : 0);
    }
};

}} // namespace bursar::scenarios
