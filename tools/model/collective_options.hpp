#pragma once

#include <optional>
#include <string>

#include "tools/model/collective_answer.hpp"
#include "tools/model/options/cluster_options.hpp"

namespace bursar { inline namespace tools {

/// The options of `bursar model collective`.
class CollectiveOptions {
  public:
    void add_to(Command command);

    /// Throws ScenarioError, ModelError or UnknownFact for what is wrong with the options.
    [[nodiscard]] CollectiveQuestion question() const;

  private:
    Collective kind_{Collective::all_reduce};
    std::string size_;  ///< empty: a table over sizes
    std::string curve_; ///< a file; empty: the model alone
    std::optional<CollectiveAlgorithm> algorithm_;
    ClusterOptions machines_;
};

}} // namespace bursar::tools
