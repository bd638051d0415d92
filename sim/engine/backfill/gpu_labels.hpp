#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/nodes/node_lines.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// Which of a node's GPUs a forecast means, where parts of them are given out. A forecast numbers
/// them by itself: who shares a GPU with whom is what it foresees, and of GPUs that nobody uses any
/// is as good. Here stands which GPU a number is as long as parts of it are in use, and which job
/// has it as a whole.
class GpuLabels {
  public:
    GpuLabels() = default;
    /// num: of all GPUs.
    BURSAR_HD GpuLabels(ArenaCarver& carver, std::size_t num)
        : labels_{carver.take<Label>(num)}, num_{num} {}

    BURSAR_HD void clear() {
        for (std::size_t label = 0; label < num_; ++label)
            labels_[label] = Label{};
    }

    /// The GPU that a number stands for; any_gpu while nobody has a part of it.
    [[nodiscard]] BURSAR_HD std::uint32_t gpu_of(std::size_t label) const {
        return labels_[label].num_parts > 0 ? labels_[label].gpu : PlannedPiece::any_gpu;
    }
    [[nodiscard]] BURSAR_HD bool is_held(std::size_t label) const {
        return labels_[label].holder != 0;
    }
    [[nodiscard]] BURSAR_HD bool is_held_by(std::size_t label, JobId job) const {
        return labels_[label].holder == job + 1U;
    }
    /// The number that stands for a GPU in parts, among those of a node. Precondition: one does.
    [[nodiscard]] BURSAR_HD std::size_t
    label_of(std::size_t first, std::uint32_t per_node, std::uint32_t gpu) const {
        std::size_t label = first;
        while (label + 1 < first + per_node && gpu_of(label) != gpu)
            ++label;
        return label;
    }

    /// A job has a part of GPU number `gpu`, or of what the number stands for already.
    BURSAR_HD void share(std::size_t label, std::uint32_t gpu) {
        if (labels_[label].num_parts++ == 0)
            labels_[label].gpu = gpu;
    }
    BURSAR_HD void unshare(std::size_t label) { --labels_[label].num_parts; }

    BURSAR_HD void hold(std::size_t label, JobId job) { labels_[label].holder = job + 1U; }
    /// Lets go what a job has of a node as a whole.
    BURSAR_HD void let_go(std::size_t first, std::uint32_t per_node, JobId job) {
        for (std::size_t label = first; label < first + per_node; ++label) {
            if (is_held_by(label, job))
                labels_[label].holder = 0;
        }
    }

  private:
    struct Label {
        std::uint32_t gpu{};
        std::uint32_t num_parts{}; ///< in use
        std::uint32_t holder{};    ///< 1 + the job that has it as a whole; 0: none
    };

    Label* labels_{};
    std::size_t num_{};
};

}} // namespace bursar::sim
