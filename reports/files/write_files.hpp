#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "reports/text/text_sink.hpp"

namespace bursar::inline reports {

/// A file of an output folder and what goes into it.
struct FileContent {
    std::string name;
    std::function<void(TextSink&)> write;
};

/// Writes the files into `directory`, which is made if need be. All files are written in full as
/// PendingFile has it and renamed then, so that neither a failure nor an interrupt leaves a file
/// half-written, files of two runs mixed or, where the file system has nameless files, a temporary
/// one behind. Throws ReportError.
void write_files(const std::filesystem::path& directory, const std::vector<FileContent>& contents);

} // namespace bursar::inline reports
