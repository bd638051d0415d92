#pragma once

#include <filesystem>

#include "reports/options.hpp"
#include "reports/result/result.hpp"

namespace bursar {

/// Writes every output of the registry into `directory`, which is made if need be. All files are
/// written under temporary names beside their places first and renamed then, so that a failure
/// leaves no file half-written and no temporary one behind. Throws ReportError.
void write_outputs(const Result& result,
                   const std::filesystem::path& directory,
                   const OutputOptions& options);

} // namespace bursar
