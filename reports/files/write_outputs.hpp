#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/files/input_files.hpp"
#include "reports/files/packing.hpp"
#include "reports/options.hpp"
#include "reports/registry.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// What of the registry is written into a folder, and how.
struct ChosenOutputs {
    std::vector<const Output*> outputs = usual_outputs();
    Packing packing{}; ///< of CSV files: "jobs.csv.gz"
};

/// The names that a file of an output may have: its own, and of CSV those of packed ones.
[[nodiscard]] std::vector<std::string> possible_names(const Output& output);

/// Writes these outputs of the registry into `directory`, as write_files has it; what an earlier
/// run wrote of the same output and packed in another way goes. Throws ReportError.
void write_outputs(const Result& result,
                   const std::filesystem::path& directory,
                   const OutputOptions& options,
                   const InputFiles& inputs,
                   const ChosenOutputs& chosen = {});

/// Files of outputs in the folder that are not among these, by name: what an earlier run left. None
/// where the folder's result is one of `inputs`: they are of the run that is rendered.
[[nodiscard]] std::vector<std::string> left_by_others(const std::filesystem::path& directory,
                                                      const InputFiles& inputs,
                                                      const ChosenOutputs& chosen);

/// As check_place, of each of them.
void check_places_of_outputs(const std::filesystem::path& directory,
                             const InputFiles& inputs,
                             const ChosenOutputs& chosen = {});

}} // namespace bursar::reports
