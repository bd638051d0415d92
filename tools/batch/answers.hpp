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

/// What a run has in the table of answers.
enum class RowStatus : std::uint8_t {
    ok,
    refused, ///< the plan alone does not say what its run does, or no device has what runs it
    failed   ///< a device or the machine did
};

/// Runs that were made, whether their outcome answers their plan or not.
struct MadeRuns {
    std::size_t num_runs{};
    std::uint64_t num_jobs{};
    std::uint64_t num_events{};
};

/// What a batch has answered so far, plan by plan. The first answer of a plan is its row; one that
/// comes later, from another device or another time, must be equal to it. May be called by several
/// threads at once.
class BatchAnswers {
  public:
    /// file: told of every row. num_runs: how many answers will come, for the line of progress.
    BatchAnswers(std::span<const BatchPlan> plans, OutcomeFile& file, std::size_t num_runs);

    /// An outcome that `device` found for a plan.
    void add(std::size_t plan, const Outcome& outcome, const std::string& device);
    /// Why a plan has none; another answer that it has, or gets, stays.
    void add_failure(std::size_t plan, RowStatus status, const std::string& why);

    /// All outcomes that a device has found.
    [[nodiscard]] MadeRuns made_by(const std::string& device) const;
    /// Where two answers of one plan differ, in words.
    [[nodiscard]] const std::vector<std::string>& differences() const { return differences_; }

    /// Writes the table in the order of the plans. Plans without an answer have failed.
    void finish();
    /// Plans without an outcome, and why, in words; after finish().
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
    void say_progress();

    std::span<const BatchPlan> plans_;
    OutcomeFile& file_;
    std::size_t num_runs_;
    std::size_t num_told_{};
    std::vector<std::optional<Row>> rows_; ///< by plan
    std::map<std::string, MadeRuns> made_;
    std::vector<std::string> differences_;
    std::mutex mutex_;
    std::chrono::steady_clock::time_point begin_{std::chrono::steady_clock::now()};
    std::chrono::steady_clock::time_point said_{begin_};
    bool shows_progress_;
};

}} // namespace bursar::tools
