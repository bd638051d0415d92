#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/model/layout_answer.hpp"
#include "tools/model/options/cluster_options.hpp"
#include "tools/model/options/shape_options.hpp"
#include "tools/model/options/stack_options.hpp"

namespace bursar { inline namespace tools {

/// The options of `bursar model layout`.
class LayoutOptions {
  public:
    void add_to(Command command);

    /// Throws ScenarioError, ModelError or UnknownFact for what is wrong with the options.
    [[nodiscard]] LayoutQuestion question() const;

  private:
    void add_goal(Command command);
    [[nodiscard]] std::vector<FleetOption> fleets() const;
    [[nodiscard]] std::optional<TrainingGoal> goal() const;

    ShapeOptions shape_;
    ClusterOptions machines_;
    StackOptions stack_;
    std::optional<std::int64_t> global_batch_;
    std::int64_t max_micro_batch_{16};
    std::vector<std::string> precisions_;
    std::size_t keep_{10};
    std::string price_;
    std::vector<std::string> fleets_;
    std::optional<double> tokens_;
    std::optional<double> budget_;
    std::string deadline_;
};

}} // namespace bursar::tools
