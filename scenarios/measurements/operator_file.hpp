#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "models/network/measured_collectives.hpp"
#include "models/training/job/cluster.hpp"
#include "models/training/step/measured_kernels.hpp"

#include "scenarios/catalog/catalogue.hpp"

namespace bursar { inline namespace scenarios {

/// Measured operators of one GPU model: kernels by number format, and collectives by group.
struct OperatorTable {
    MeasuredOperators operators;
    MeasuredCollectives collectives;
    std::size_t rows{};              ///< of this GPU
    std::vector<std::string> others; ///< other GPUs of the file, each once, as written

    /// Lets every step of `cluster` look up its operators here. log: gets the lookups; null: none.
    void attach_to(Cluster& cluster, const std::shared_ptr<OperatorLog>& log) const;
};

/// Reads the rows of a CSV file (also gzip and zstd) that are of `gpu`, or of no stated one.
/// Columns in any order, others ignored; what a row has decides what it is:
/// - a matrix product: `m`, `n`, `k`, or `best_shape_MxNxK` ("8192x4096x1024")
/// - the forward pass of a fused attention: `seq`, `batch`, `heads`, `head_dim`, and `causal`
///   ("yes" or "no", default yes)
/// - a collective: `collective`, `n_gpus`, `bytes`, and `nodes` (default 1)
/// each with `time_us`, or for kernels `tflops` or `mamf_tflops`, for collectives `busbw_GBps` or
/// `algbw_GBps`; kernels have a `precision` (default bf16; fp8-e4m3 is fp8). Rows of one shape or
/// size repeat each other: their geometric mean counts. A collective without `bytes` is left out.
/// Throws ScenarioError with the place of a mistake.
[[nodiscard]] OperatorTable
read_operators(const std::string& path, const Gpu& gpu, const Catalogue& catalogue);

/// The GPUs that such a file names, as written, each once. Throws likewise.
[[nodiscard]] std::vector<std::string> gpus_of_operators(const std::string& path);

}} // namespace bursar::scenarios
