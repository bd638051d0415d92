#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace bursar { inline namespace tools {

/// Who makes the runs of a batch.
enum class BatchOn : std::uint8_t {
    either, ///< GPUs where they are measured to pay, else the host
    host,
    gpus,
    both ///< and their answers are held against each other
};

/// A command line of bursar-batch.
struct BatchCommand {
    std::vector<std::string> plans; ///< files, and folders of them
    std::string output{};           ///< empty: standard output
    std::string times{};            ///< file of the times taken; empty: none
    BatchOn on{BatchOn::either};
    std::size_t threads{1}; ///< of the host, >= 1
    std::size_t repeat{1};  ///< how often each plan is run, >= 1
    bool lists_gpus{};      ///< and does nothing else
};

/// A command line that cannot be meant.
class BadCommandLine : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// words: without the program's name. Absent: help or the version was asked for, and is in `told`.
/// Throws BadCommandLine.
[[nodiscard]] std::optional<BatchCommand> read_batch_command(std::span<const std::string> words,
                                                             std::string& told);

}} // namespace bursar::tools
