#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "policies/batch/batch.hpp"

namespace bursar { inline namespace tools {

/// Devices that make the runs of a batch.
enum class BatchOn : std::uint8_t {
    either, ///< GPUs if they are measured to be faster, else the host
    host,
    gpus,
    both ///< both, and their answers are compared
};

/// A command line of bursar-batch.
struct BatchCommand {
    std::vector<std::string> plans; ///< files, and folders of them
    std::string output{};           ///< empty: standard output
    std::string times{};            ///< file for the times of devices; empty: none
    BatchOn on{BatchOn::either};
    TeamKind team{TeamKind::warp}; ///< of GPUs
    std::size_t threads{1};        ///< of the host, >= 1
    std::size_t repeat{1};         ///< how often each plan is run, >= 1
    bool lists_gpus{};             ///< lists the GPUs and exits
};

/// A command line that cannot be used.
class BadCommandLine : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// words: without the program's name. Absent: help or the version was requested, and is in
/// `output`. Throws BadCommandLine.
[[nodiscard]] std::optional<BatchCommand> read_batch_command(std::span<const std::string> words,
                                                             std::string& output);

}} // namespace bursar::tools
