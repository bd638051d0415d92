#pragma once

#include <cstdint>
#include <optional>

#include "models/training/layout.hpp"

#include "tools/bursar/options.hpp"

namespace bursar::inline tools {

/// The options that say how a step is laid over GPUs.
class RankOptions {
  public:
    void add_to(Command command);

    /// The layout, completed by what is left of the GPUs and of the batch (complete_layout). gpus:
    /// --gpus, if it was given. Throws ModelError where that does not come out even.
    [[nodiscard]] Layout layout(std::optional<std::int64_t> gpus, std::int64_t gpus_per_node) const;

    /// Whether --micro-batch was given.
    [[nodiscard]] bool states_micro_batch() const { return micro_batch_.has_value(); }

  private:
    Layout layout_;
    std::optional<std::int64_t> micro_batch_;
    std::optional<std::int64_t> data_;
    std::optional<std::int64_t> global_batch_;
};

} // namespace bursar::inline tools
