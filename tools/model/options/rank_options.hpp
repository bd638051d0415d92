#pragma once

#include <cstdint>
#include <optional>

#include "models/training/job/layout.hpp"
#include "models/training/search/layout_space.hpp"

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// The options that say how a step is laid over GPUs.
class RankOptions {
  public:
    void add_to(Command command);

    /// The layout, completed by what is left of the GPUs and of the batch (complete_layout). gpus:
    /// --gpus, if it was given. Throws ModelError where that does not come out even.
    [[nodiscard]] Layout layout(std::optional<std::int64_t> gpus, std::int64_t gpus_per_node) const;

    /// Whether any rank, sharding or --sequence-parallel was given: then the rest is as its
    /// defaults say. Otherwise the layout is open.
    [[nodiscard]] bool states_layout() const;

    /// The layouts of `job` on `gpus` GPUs that an open layout leaves: --micro-batch, --recompute
    /// and --global-batch hold. Sets in `job` what the space does not name.
    [[nodiscard]] LayoutSpace open_layouts(TrainingJob& job, std::int64_t gpus) const;

    /// Whether --micro-batch was given.
    [[nodiscard]] bool states_micro_batch() const { return micro_batch_.has_value(); }

  private:
    std::optional<std::int64_t> tensor_;
    std::optional<std::int64_t> pipeline_;
    std::optional<std::int64_t> chunks_;
    std::optional<std::int64_t> context_;
    std::optional<std::int64_t> expert_;
    std::optional<Sharding> sharding_;
    std::optional<Recompute> recompute_;
    bool sequence_parallel_{};
    bool gpipe_{};
    bool offload_optimizer_{};
    bool tensor_across_nodes_{};
    std::optional<std::int64_t> micro_batch_;
    std::optional<std::int64_t> data_;
    std::optional<std::int64_t> global_batch_;
};

}} // namespace bursar::tools
