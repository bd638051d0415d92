#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tools/command_line/options.hpp"
#include "tools/model/checkpoint_answer.hpp"
#include "tools/model/options/cluster_options.hpp"
#include "tools/model/options/shape_options.hpp"

namespace bursar { inline namespace tools {

/// The options of `bursar model checkpoint`.
class CheckpointOptions {
  public:
    void add_to(Command command);

    /// What they ask for. Throws ScenarioError for unknown names, bad quantities and bad files,
    /// ModelError for values that cannot be, UnknownFact for a GPU without the fact that is needed.
    [[nodiscard]] CheckpointQuestion question() const;

  private:
    enum class Mode : std::uint8_t { sync, async, incremental };
    static constexpr std::array<std::string_view, 3> mode_names{"sync", "async", "incremental"};

    void add_size_options(Command command);
    void add_saving_options(Command command);
    void add_failure_options(Command command);
    void add_use_options(Command command);

    void set_size(CheckpointQuestion& question) const;
    void set_saving(CheckpointQuestion& question) const;
    void set_failures(CheckpointQuestion& question) const;
    void set_restart(CheckpointQuestion& question) const;
    void set_storage(CheckpointQuestion& question) const;
    [[nodiscard]] std::optional<EnergyQuestion> energy(double gpus) const;
    [[nodiscard]] IncrementalPlan plan() const;
    /// A warning for every option that says something about what was not asked for.
    void note_unused(CheckpointQuestion& question) const;

    ShapeOptions shape_;
    ClusterOptions machines_;
    double params_{};
    StateRecipe recipe_{StateRecipe::mixed_adam};
    CheckpointContents contents_{CheckpointContents::full};

    Mode mode_{Mode::sync};
    std::string write_;
    double writers_{};
    std::string writer_rate_;
    std::string copy_rate_;
    std::string synchronise_;
    std::optional<double> interference_;
    std::optional<double> changed_;
    std::optional<double> full_every_;

    std::string rates_; ///< empty: the first
    std::string rates_file_;
    std::string mtbf_;
    std::optional<double> node_failures_;
    std::optional<double> job_failures_;
    double preemptions_{};
    std::string survival_;
    std::string restart_;
    std::string read_;

    std::string interval_;
    std::string notice_;
    std::string run_;
    std::string tier_; ///< empty: the first
    std::string cold_tier_;
    std::string tiers_file_;
    std::int64_t keep_{3};
    std::string region_;
    std::string carbon_file_;
    std::optional<double> utilization_;
    std::string energy_price_;
};

}} // namespace bursar::tools
