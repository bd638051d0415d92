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

/// Devices that make the simulations of many runs.
enum class SimulatedOn : std::uint8_t {
    either, ///< GPUs if they are measured to be faster, else the host
    host,
    gpus ///< GPUs, except for runs that they cannot make
};

/// Makes the first simulations of runs on GPUs, for ManyRuns::ahead. Runs that GPUs cannot make, or
/// lose, are simulated on the host with the same answer.
class DeviceRuns {
  public:
    /// on: not the host. threads: of the host, which GPUs are compared with. log: receives
    /// decisions and losses, a sentence each.
    DeviceRuns(std::vector<BatchGpu> gpus,
               SimulatedOn on,
               std::size_t threads,
               std::function<void(const std::string&)> log);

    /// num_after: runs behind these. Throws SimulationError if a GPU's answer differs from the
    /// host's.
    void operator()(std::span<CompiledRun* const> runs, std::size_t num_after);

    /// Number of runs that GPUs made.
    [[nodiscard]] std::size_t num_made() const { return num_made_; }
    /// Number of runs that no GPU made, by the reason.
    [[nodiscard]] const std::map<std::string, std::size_t>& left() const { return left_; }

  private:
    struct Share;

    /// Whether GPUs make the other runs, decided from a sample of them that is made here.
    bool choose(std::span<CompiledRun* const> runs, std::size_t num_after);
    /// Time on all threads of the host for a sample that GPUs made, in seconds.
    [[nodiscard]] double time_on_host(std::span<CompiledRun* const> sample) const;
    void make(std::span<CompiledRun* const> runs);
    void make_share(Share& share) const;

    std::vector<BatchGpu> gpus_;
    bool is_chosen_;
    std::size_t threads_;
    std::function<void(const std::string&)> log_;
    std::size_t num_made_{};
    std::map<std::string, std::size_t> left_;
};

}} // namespace bursar::tools
