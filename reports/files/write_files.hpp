#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/files/input_files.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// A file of an output folder and its content.
struct FileContent {
    std::string name;
    std::function<void(TextSink&)> write;
    std::vector<std::string> instead_of{}; ///< other names that the same content may have: files of
                                           ///< these names are removed
};

/// Throws where no file can be made in the folder, or where the file would replace a folder, a
/// device or one of `inputs`. Call it before long work; write_files checks again.
void check_place(const std::filesystem::path& directory,
                 std::string_view name,
                 const InputFiles& inputs);

/// Writes the files into `directory`, which is made where it does not exist. All files are first
/// written in full and flushed (PendingFile), then renamed while other processes wait and signals
/// are blocked. So no failure or interrupt leaves a half-written file, files of two runs, or a
/// temporary file. Files under the names of `instead_of` are removed last. Throws ReportError;
/// OutputIsInput where a file to be replaced or removed is one of `inputs`.
void write_files(const std::filesystem::path& directory,
                 const std::vector<FileContent>& contents,
                 const InputFiles& inputs);

/// Writes one file, whole or not at all (PendingFile); of a link, its target. A pipe or device is
/// written directly, never replaced. Throws ReportError; OutputIsInput where it is one of `inputs`.
void write_file(const std::filesystem::path& path,
                const InputFiles& inputs,
                const std::function<void(TextSink&)>& write);

}} // namespace bursar::reports
