#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tools/batch/gpus.hpp"
#include "tools/simulate/run_scenario.hpp"

namespace bursar { inline namespace tools {

/// Who makes the simulations of many runs.
enum class SimulatedOn : std::uint8_t {
    either, ///< GPUs where they are measured to pay, else the host
    host,
    gpus ///< but for those that they cannot make
};

/// Has GPUs make the first simulations of runs, for ManyRuns::ahead. What they do not make, be it
/// that they cannot or that they are lost, the runs make themselves, on the host: no run is lost,
/// and each has the same answer.
class DeviceRuns {
  public:
    /// on: not the host. threads: of the host, which GPUs are compared with. say: told in a
    /// sentence what is decided, and what is lost.
    DeviceRuns(std::vector<BatchGpu> gpus,
               SimulatedOn on,
               std::size_t threads,
               std::function<void(const std::string&)> say);

    /// num_after: runs behind these. Throws SimulationError where a GPU has another answer than the
    /// host.
    void operator()(std::span<CompiledRun* const> runs, std::size_t num_after);

    /// How many runs GPUs made.
    [[nodiscard]] std::size_t num_made() const { return num_made_; }
    /// How many runs no GPU made, by the reason.
    [[nodiscard]] const std::map<std::string, std::size_t>& left() const { return left_; }

  private:
    struct Share;

    /// Whether GPUs are to make the other runs; a sample of these has been made.
    bool choose(std::span<CompiledRun* const> runs, std::size_t num_after);
    /// What a sample that GPUs made takes on all threads of the host, in seconds.
    [[nodiscard]] double time_on_host(std::span<CompiledRun* const> sample) const;
    void make(std::span<CompiledRun* const> runs);
    void make_share(Share& share) const;

    std::vector<BatchGpu> gpus_;
    bool is_chosen_;
    std::size_t threads_;
    std::function<void(const std::string&)> say_;
    std::size_t num_made_{};
    std::map<std::string, std::size_t> left_;
};

}} // namespace bursar::tools
