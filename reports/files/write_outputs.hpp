#pragma once

#include <filesystem>

#include "reports/options.hpp"
#include "reports/result/result.hpp"

namespace bursar::inline reports {

/// Writes every output of the registry into `directory`, as write_files has it. Throws ReportError.
void write_outputs(const Result& result,
                   const std::filesystem::path& directory,
                   const OutputOptions& options);

} // namespace bursar::inline reports
