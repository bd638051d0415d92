#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "scenarios/catalog/catalogue.hpp"

namespace bursar { inline namespace scenarios {

/// Steps a second that types of jobs were measured to make, by GPU and number of GPUs.
class ThroughputTable {
  public:
    /// file: as messages call it.
    explicit ThroughputTable(std::string file) : file_{std::move(file)} {}

    [[nodiscard]] const std::string& file() const { return file_; }

    /// gpu: the catalogue's name. steps_per_s: >= 0; 0: such a job does not run there. What was
    /// added for the same three before is replaced.
    void
    add(std::string_view job_type, std::string_view gpu, std::uint32_t gpus, double steps_per_s);

    /// The number of that type of job, from 1; 0 where the table has none of it.
    [[nodiscard]] std::uint32_t number_of(std::string_view job_type) const;

    /// How fast jobs of that number run on `to` that ran on `from`: 0 where they do not run,
    /// nothing where one of the two was not measured. Gangs of a size that was not measured go by
    /// the next smaller one that was on both.
    [[nodiscard]] std::optional<double> ratio(std::uint32_t job_type,
                                              std::string_view from,
                                              std::string_view to,
                                              std::uint32_t gpus) const;

    /// Of all that it holds.
    [[nodiscard]] std::uint64_t hash() const;

  private:
    std::string file_;
    std::map<std::string, std::uint32_t, std::less<>> types_;
    /// By type, GPU and number of GPUs.
    std::map<std::tuple<std::uint32_t, std::string, std::uint32_t>, double> steps_per_s_;
};

/// Names that a table has for GPUs, and what the catalogue calls them.
using GpuNames = std::map<std::string, std::string>;

/// Reads the throughputs of Gavel (stanford-futuredata/gavel, simulation_throughputs.json), plain
/// or compressed: of each kind of worker, `"('job type', GPUs)"` to the steps a second that such a
/// job makes alone, under `"null"`. What two jobs make that share GPUs, and gangs that are not
/// consolidated (`v100_unconsolidated`), are passed over.
///
/// names: what kinds of workers are called in the catalogue; others go by their own name. Throws
/// ScenarioError for what cannot be read as such, with its place, and for a GPU that nobody knows.
[[nodiscard]] ThroughputTable
read_gavel_throughputs(const std::string& path, const Catalogue& catalogue, const GpuNames& names);

}} // namespace bursar::scenarios
