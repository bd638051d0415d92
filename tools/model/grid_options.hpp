#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/model/grid_answer.hpp"
#include "tools/model/options/cluster_options.hpp"
#include "tools/model/options/stack_options.hpp"

namespace bursar { inline namespace tools {

/// The options of `bursar model grid`.
class GridOptions {
  public:
    void add_to(Command command);

    /// Throws ScenarioError, ModelError or UnknownFact for what is wrong with the options.
    [[nodiscard]] GridQuestion question() const;

  private:
    void add_networks(GridQuestion& question) const;
    void add_offers(GridQuestion& question) const;
    [[nodiscard]] std::vector<GridMachine> machines_of(const Cluster& cluster,
                                                       const TrainingJob& job,
                                                       std::vector<std::string>& warnings) const;

    std::vector<std::string> models_;
    std::string architectures_; ///< --architectures; empty: built in
    std::optional<std::int64_t> sequence_;
    ClusterOptions machines_;
    std::vector<std::string> offers_;
    std::vector<std::string> gpus_;
    std::vector<std::string> batches_;
    std::vector<std::string> precisions_;
    StackOptions stack_;
    std::int64_t max_micro_batch_{16};
    double tokens_{};
    GridMetric metric_{GridMetric::cost};
    std::size_t keep_{10};
    GridDevice device_{GridDevice::either};
};

}} // namespace bursar::tools
