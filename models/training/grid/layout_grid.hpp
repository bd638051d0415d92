#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "models/training/grid/grid_point.hpp"
#include "models/training/search/layout_parts.hpp"
#include "models/training/search/layout_space.hpp"

namespace bursar { inline namespace models {

/// One GPU type in one number format under one software stack.
struct GridMachine {
    Cluster cluster;
    Precision precision{Precision::bf16};
    StackProfile profile;
    MemoryOverheads overheads;
    // Absent: the job's.
    std::optional<Attention> attention{};
    std::optional<Fp8Scaling> fp8_scaling{};
    std::optional<StateRecipe> recipe{};
    bool is_stack_known{}; ///< named, or that of a framework; for error ranges
};

/// The axes of a grid: every layout of every model, number of GPUs and batch, under every offer.
struct GridAxes {
    std::vector<TrainingJob> jobs;     ///< one for each model; tensor to micro_batches, sharding,
                                       ///< recompute and precision do not matter; no `input`
    std::vector<GridMachine> machines; ///< gpus_per_node: multiples of the least of them
    std::vector<GridOffer> offers;
    std::vector<std::int64_t> gpus;    ///< > 0
    std::vector<std::int64_t> batches; ///< sequences per step, > 0; empty: one for each GPU
    std::int64_t max_micro_batch{16};
    double tokens{}; ///< that a run trains on, > 0
};

/// The layouts of for_each_layout with the rows they read, computed once, so that a point costs
/// only arithmetic.
class LayoutGrid {
  public:
    /// Throws ModelError for an axis without values, machines whose nodes are no multiples of the
    /// smallest, a job with an input pipeline, tokens that are not above 0, and more than 1e9
    /// points or 2e7 layouts; otherwise as for_each_layout and step_time.
    explicit LayoutGrid(GridAxes axes);

    /// Points that the rules allow.
    [[nodiscard]] std::uint64_t size() const { return points_; }
    /// Those of one model, which are together; first == end: it has none.
    [[nodiscard]] GridRange points_of(std::size_t model) const { return ranges_[model]; }
    [[nodiscard]] std::int64_t excluded_by_rule() const { return excluded_; }
    [[nodiscard]] const GridAxes& axes() const { return axes_; }

    /// Both are valid as long as the grid.
    [[nodiscard]] GridArrays arrays() const;
    [[nodiscard]] GridView view() const { return view_of(arrays()); }
    [[nodiscard]] const GridBlock& block(const GridDigits& at) const { return blocks_[at.block]; }

    /// The job of a point with its layout; its machine is that of its offer.
    [[nodiscard]] TrainingJob job(const GridDigits& at) const;
    [[nodiscard]] const GridMachine& machine(const GridDigits& at) const;

  private:
    /// Rows of one kind: the first layout that reads each.
    struct Rows {
        std::unordered_map<LayoutKey, std::uint32_t, LayoutKeyHash> numbers;
        std::vector<Layout> examples;

        std::uint32_t row_of(const LayoutKey& key, const Layout& layout);
    };

    void add_model(std::uint32_t model);
    void add_block(std::uint32_t model, std::int64_t gpus, std::int64_t batch);
    void add_panel(TrainingJob job, const GridMachine& machine);

    GridAxes axes_;
    std::uint64_t points_{};
    std::int64_t excluded_{};
    Rows pass_rows_; // of the model that is being added
    Rows replica_rows_;
    Rows message_rows_;
    std::vector<GridRange> ranges_;
    std::vector<GridBlock> blocks_;
    std::vector<GridLayout> layouts_;
    std::vector<GridPanel> panels_;
    std::vector<PassRow> passes_;
    std::vector<ReplicaRow> replicas_;
    std::vector<Seconds> messages_;
};

}} // namespace bursar::models
