#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/scenario/scenario.hpp"
#include "scenarios/trace_formats/read_trace.hpp"

namespace bursar { inline namespace scenarios {

/// The seed of a scenario's first run: `wanted` (>= 0), else the scenario's own, else 1.
[[nodiscard]] std::uint64_t first_seed(const Scenario& scenario,
                                       std::optional<std::int64_t> wanted);

/// Throws ScenarioError if `variant` names another seed for its jobs than that of `base`, or
/// another number of seeds. Scenarios are compared on equal seeds, those of the base: its own would
/// have no effect.
void check_seeds(const Scenario& base, const Scenario& variant);

/// The workload of a run of `scenario` with `seed`: its trace file read, and resampled if it asks
/// for that; its list of jobs; or its synthetic workload drawn. Throws ScenarioError.
[[nodiscard]] Trace load_workload(const Scenario& scenario, std::uint64_t seed);

/// The workloads of scenarios. A trace file is read once for all seeds and variants that read it
/// with equal options, and kept. Of drawn workloads, one for each seed, the last few are kept.
/// Thread-safe.
class Workloads {
  public:
    using Read = std::function<Trace(const TraceOptions& options)>;

    explicit Workloads(Read read = [](const TraceOptions& options) { return read_trace(options); })
        : read_{std::move(read)} {}

    /// As load_workload.
    [[nodiscard]] std::shared_ptr<const Trace> of(const Scenario& scenario, std::uint64_t seed);

  private:
    using Shared = std::shared_future<std::shared_ptr<const Trace>>;
    /// A trace as one seed draws it.
    struct DrawnTrace {
        TraceWorkload trace;
        std::uint64_t seed{};
        bool operator==(const DrawnTrace&) const = default;
    };
    using Key = std::variant<TraceWorkload, DrawnTrace, SyntheticSpec>;

    /// Waits if another thread is loading the same workload.
    [[nodiscard]] std::shared_ptr<const Trace> once(const Key& key,
                                                    const std::function<Trace()>& make);
    void forget_oldest();

    Read read_;
    std::mutex mutex_;
    std::vector<std::pair<Key, Shared>> entries_; ///< in the order of the first calls
};

}} // namespace bursar::scenarios
