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

/// The workload of a run of `scenario` with `seed`: its trace file read, its list of jobs, or its
/// synthetic workload drawn. Throws ScenarioError.
[[nodiscard]] Trace load_workload(const Scenario& scenario, std::uint64_t seed);

/// The workloads of scenarios. A trace file is read once however many seeds and variants ask for
/// it, as long as they read it alike, and kept; of synthetic workloads the last few are kept, as
/// each seed has its own. May be asked by several threads at once.
class Workloads {
  public:
    using Read = std::function<Trace(const TraceOptions& options)>;

    explicit Workloads(Read read = [](const TraceOptions& options) { return read_trace(options); })
        : read_{std::move(read)} {}

    /// As load_workload.
    [[nodiscard]] std::shared_ptr<const Trace> of(const Scenario& scenario, std::uint64_t seed);

  private:
    using Shared = std::shared_future<std::shared_ptr<const Trace>>;
    using Key = std::variant<TraceWorkload, SyntheticSpec>;

    /// Waits where another thread is reading or drawing the same.
    [[nodiscard]] std::shared_ptr<const Trace> once(const Key& key,
                                                    const std::function<Trace()>& make);
    void forget_oldest();

    Read read_;
    std::mutex mutex_;
    std::vector<std::pair<Key, Shared>> entries_; ///< in the order in which they were asked for
};

}} // namespace bursar::scenarios
