#pragma once

#include <filesystem>

#include "reports/options.hpp"
#include "reports/result/result.hpp"

namespace bursar {

/// Writes every output of the registry into `directory`, which is made if need be. All files are
/// written in full as PendingFile has it and renamed then, so that neither a failure nor an
/// interrupt leaves a file half-written, files of two runs mixed or, where the file system has
/// nameless files, a temporary one behind. Throws ReportError.
void write_outputs(const Result& result,
                   const std::filesystem::path& directory,
                   const OutputOptions& options);

} // namespace bursar
