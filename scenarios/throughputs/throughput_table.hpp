#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar { inline namespace scenarios {

/// Measured steps per second by type of job, GPU and number of GPUs.
class ThroughputTable {
  public:
    /// file: its name in messages.
    explicit ThroughputTable(std::string file) : file_{std::move(file)} {}

    [[nodiscard]] const std::string& file() const { return file_; }

    /// gpu: the catalogue's name. steps_per_s: >= 0; 0: such a job does not run there. Replaces an
    /// earlier value for the same job type, GPU and number of GPUs.
    void
    add(std::string_view job_type, std::string_view gpu, std::uint32_t gpus, double steps_per_s);

    /// Steps per second of each of two jobs that share GPUs; as add().
    void add_shared(std::string_view job_type,
                    std::string_view other_type,
                    std::string_view gpu,
                    std::uint32_t gpus,
                    double steps_per_s,
                    double other_steps_per_s);

    /// The number of that type of job, from 1; 0 if the table lacks it.
    [[nodiscard]] std::uint32_t number_of(std::string_view job_type) const;

    /// Speed of jobs of that type on `to` relative to `from`: 0 if they do not run there, absent if
    /// one of the two was not measured. For a gang size without measurements, that of the next
    /// smaller size measured on both.
    [[nodiscard]] std::optional<double> ratio(std::uint32_t job_type,
                                              std::string_view from,
                                              std::string_view to,
                                              std::uint32_t gpus) const;

    /// Steps per second of jobs of that type alone; 0: they do not run there; absent: not measured.
    [[nodiscard]] std::optional<double>
    steps_per_s(std::string_view job_type, std::string_view gpu, std::uint32_t gpus) const;

    /// Speed of a job that shares GPUs with another one, over its speed alone: 0 if they do not run
    /// together there, absent if that was not measured with that number of GPUs.
    [[nodiscard]] std::optional<double> shared_ratio(std::uint32_t job_type,
                                                     std::uint32_t other_type,
                                                     std::string_view gpu,
                                                     std::uint32_t gpus) const;
    [[nodiscard]] bool has_shared() const { return !shared_.empty(); }

    /// Hash of all its content.
    [[nodiscard]] std::uint64_t hash() const;

  private:
    std::uint32_t numbered(std::string_view job_type);

    std::string file_;
    std::map<std::string, std::uint32_t, std::less<>> types_;
    /// Of the first of two jobs, by its type, the other's, GPU and number of GPUs.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::string, std::uint32_t>, double> shared_;
    /// By type, GPU and number of GPUs.
    std::map<std::tuple<std::uint32_t, std::string, std::uint32_t>, double> steps_per_s_;
};

/// The catalogue's names, by a table's names of GPUs.
using GpuNames = std::map<std::string, std::string>;

/// Reads the throughputs of Gavel (stanford-futuredata/gavel, simulation_throughputs.json), plain
/// or compressed: for each kind of worker, `"('job type', GPUs)"` with the steps per second of such
/// a job alone, under `"null"`, and under another job those of both when they share GPUs. Gangs
/// that are not consolidated (`v100_unconsolidated`) are skipped.
///
/// names: the catalogue's names of kinds of workers; others keep their name. Throws ScenarioError
/// with its place for a malformed file and for an unknown GPU.
[[nodiscard]] ThroughputTable
read_gavel_throughputs(const std::string& path, const Catalogue& catalogue, const GpuNames& names);

/// The same of bytes that messages call `file`.
[[nodiscard]] ThroughputTable read_gavel_throughputs(ByteSource& bytes,
                                                     const std::string& file,
                                                     const Catalogue& catalogue,
                                                     const GpuNames& names);

}} // namespace bursar::scenarios
