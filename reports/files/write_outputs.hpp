#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/files/input_files.hpp"
#include "reports/files/packing.hpp"
#include "reports/outputs/options.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Which outputs of the registry are written into a folder, and how.
struct ChosenOutputs {
    std::vector<const Output*> outputs = usual_outputs();
    Packing packing{}; ///< of CSV files: "jobs.csv.gz"
};

/// The possible names of the file of an output: its own, and for CSV the packed ones.
[[nodiscard]] std::vector<std::string> possible_names(const Output& output);

/// Writes these outputs of the registry into `directory` (write_files). Files of the same output
/// that an earlier run packed in another way are removed. Throws ReportError.
void write_outputs(const Result& result,
                   const std::filesystem::path& directory,
                   const OutputOptions& options,
                   const InputFiles& inputs,
                   const ChosenOutputs& chosen = {});

/// Names of output files in the folder that are not in `chosen`: leftovers of an earlier run. None
/// where the folder's result is one of `inputs`, as they belong to the run that is rendered.
[[nodiscard]] std::vector<std::string> left_by_others(const std::filesystem::path& directory,
                                                      const InputFiles& inputs,
                                                      const ChosenOutputs& chosen);

/// Calls check_place for each of them.
void check_places_of_outputs(const std::filesystem::path& directory,
                             const InputFiles& inputs,
                             const ChosenOutputs& chosen = {});

}} // namespace bursar::reports
