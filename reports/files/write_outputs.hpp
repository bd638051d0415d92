#pragma once

#include <filesystem>

#include "reports/files/input_files.hpp"
#include "reports/options.hpp"
#include "reports/result/result.hpp"

namespace bursar::inline reports {

/// Writes every output of the registry into `directory`, as write_files has it. Throws ReportError.
void write_outputs(const Result& result,
                   const std::filesystem::path& directory,
                   const OutputOptions& options,
                   const InputFiles& inputs);

/// As check_place, of every output.
void check_places_of_outputs(const std::filesystem::path& directory, const InputFiles& inputs);

} // namespace bursar::inline reports
