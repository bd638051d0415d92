#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/record/outcome.hpp"

#include "tools/batch/batch_plans.hpp"
#include "tools/batch/outcome_file.hpp"

namespace bursar { inline namespace tools {

/// Status of a run in the table of answers.
enum class RowStatus : std::uint8_t {
    ok,
    refused, ///< the plan does not determine its run, or no device can run it
    failed   ///< a device or the machine failed
};

/// Runs made by a device, whether or not the plan accepts their outcome.
struct MadeRuns {
    std::size_t num_runs{};
    std::uint64_t num_jobs{};
    std::uint64_t num_events{};
};

/// Answers of a batch so far, by plan. The first answer of a plan is its row; a later one, from
/// another device or time, must be equal. Thread-safe.
class BatchAnswers {
  public:
    /// file: receives every row. num_runs: number of answers to expect, for the progress line.
    BatchAnswers(std::span<const BatchPlan> plans, OutcomeFile& file, std::size_t num_runs);

    /// Adds the outcome of a plan on `device`.
    void add(std::size_t plan, const Outcome& outcome, const std::string& device);
    /// Adds the reason why a run of a plan has no answer. An answer of another run stays.
    void add_failure(std::size_t plan, RowStatus status, const std::string& why);

    /// Runs made by a device.
    [[nodiscard]] MadeRuns made_by(const std::string& device) const;
    /// Differences between two answers of one plan, in words.
    [[nodiscard]] const std::vector<std::string>& differences() const { return differences_; }

    /// Writes the table in the order of the plans. Plans without an answer have failed.
    void finish();
    /// Plans without an outcome, with reasons, in words; call it after finish().
    [[nodiscard]] std::vector<std::string> unanswered(RowStatus status) const;

  private:
    struct Row {
        RowStatus status{};
        std::optional<Outcome> outcome;
        std::string device;
        std::string why;
    };
    [[nodiscard]] std::string text_of(std::size_t plan) const;
    void
    compare(std::size_t plan, const Row& first, const Outcome& other, const std::string& device);
    void keep(std::size_t plan, Row row);
    void log_progress();

    std::span<const BatchPlan> plans_;
    OutcomeFile& file_;
    std::size_t num_runs_;
    std::size_t num_reported_{};
    std::vector<std::optional<Row>> rows_; ///< by plan
    std::map<std::string, MadeRuns> made_;
    std::vector<std::string> differences_;
    std::mutex mutex_;
    std::chrono::steady_clock::time_point begin_{std::chrono::steady_clock::now()};
    std::chrono::steady_clock::time_point last_progress_{begin_};
    bool shows_progress_;
};

}} // namespace bursar::tools
