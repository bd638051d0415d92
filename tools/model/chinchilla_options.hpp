#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/command_line/options.hpp"
#include "tools/model/chinchilla_answer.hpp"

namespace bursar { inline namespace tools {

/// What --coefficients takes: loss surfaces, then the allocations that have none.
[[nodiscard]] std::vector<std::string> coefficient_ids();

/// A power law of the user's own. Without the tokens' half, tokens are what the budget leaves.
struct PowerLawOptions {
    std::optional<double> params_factor;
    std::optional<double> params_exponent;
    std::optional<double> tokens_factor;
    std::optional<double> tokens_exponent;

    void add_to(Command command);
    [[nodiscard]] std::optional<PowerLaw> law() const;
};

/// The GPU whose hours a run is paid in.
class GpuHoursOptions {
  public:
    void add_to(Command command);

    /// Absent: neither hours nor money were asked for. Throws ScenarioError for an unknown GPU or
    /// price, UnknownFact for a peak not known.
    [[nodiscard]] std::optional<GpuHoursQuestion> question() const;

  private:
    [[nodiscard]] ComputePrice at(double utilisation) const;

    std::string gpu_;
    Precision precision_{Precision::bf16};
    double mfu_{0.4};
    std::optional<double> reading_mfu_;
    std::optional<double> writing_mfu_;
    std::string price_;
};

/// Everything `bursar model chinchilla` may be told; absent is "not asked".
struct ChinchillaOptions {
    std::optional<double> flops;
    std::optional<double> params;
    std::optional<double> tokens;
    std::optional<double> target_loss;
    std::string coefficients;
    PowerLawOptions power_law;

    std::optional<double> total_params;
    double total_weight{default_total_weight};
    std::optional<double> unique_tokens;
    std::optional<double> batch_tokens;
    std::optional<double> read_tokens;
    std::optional<double> written_tokens;
    GpuHoursOptions hours;

    std::string runs_file;
    std::size_t drop_highest{};
    std::size_t resamples{};
    std::uint64_t seed{1};

    void add_to(Command command);

    /// Reads the runs to fit to and solves for what was left open: of N, D and C two give the third
    /// and one gives the optimum; a target loss gives the cheapest run or, with N, its tokens.
    /// Throws ScenarioError for options that ask nothing or too much, ModelError for what has no
    /// answer.
    [[nodiscard]] ChinchillaQuestion question() const;

  private:
    void add_question(Command command);
    void add_circumstances(Command command);
    void add_fit(Command command);
};

}} // namespace bursar::tools
