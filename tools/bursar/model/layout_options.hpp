#pragma once

#include <cstdint>
#include <optional>

#include "models/training/layout.hpp"

#include "tools/bursar/options.hpp"

namespace bursar {

/// The options that say how a step is laid over GPUs.
class LayoutOptions {
  public:
    void add_to(Command command);

    /// gpus: --gpus, if it was given; the GPUs of one node otherwise make the least number.
    /// Data parallelism is what is left of the GPUs, micro-batches are what is left of the global
    /// batch. Throws ModelError where that does not come out even.
    [[nodiscard]] Layout layout(std::optional<std::int64_t> gpus, std::int64_t gpus_per_node) const;

    /// Whether --micro-batch was given.
    [[nodiscard]] bool states_micro_batch() const { return micro_batch_.has_value(); }

  private:
    [[nodiscard]] std::int64_t data_ranks(std::optional<std::int64_t> gpus,
                                          std::int64_t gpus_per_node) const;

    Layout layout_;
    std::optional<std::int64_t> micro_batch_;
    std::optional<std::int64_t> data_;
    std::optional<std::int64_t> global_batch_;
};

} // namespace bursar
