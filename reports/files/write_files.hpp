#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/files/input_files.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// A file of an output folder and what goes into it.
struct FileContent {
    std::string name;
    std::function<void(TextSink&)> write;
    std::vector<std::string> instead_of{}; ///< other names that the same content may have: files of
                                           ///< these names are removed
};

/// Throws where no file can be made in the folder, or one of this name would replace a folder or a
/// device, or one of `inputs`: to be asked before much work is done, and asked again by
/// write_files.
void check_place(const std::filesystem::path& directory,
                 std::string_view name,
                 const InputFiles& inputs);

/// Writes the files into `directory`, which is made if need be. All files are written in full as
/// PendingFile has it, are on the disk, and are renamed then, while other processes wait and no
/// signal comes between, so that neither a failure nor an interrupt leaves a file half-written,
/// files of two runs mixed or a temporary one behind; what a file is instead of goes once all are
/// in their places. Throws ReportError; OutputIsInput where a
/// file, or what it is instead of, is one of `inputs`.
void write_files(const std::filesystem::path& directory,
                 const std::vector<FileContent>& contents,
                 const InputFiles& inputs);

/// Writes one file, whole or not at all, as PendingFile has it: a link's target where `path` is a
/// link. What is no regular file (a pipe, a device) is written to, never replaced. Throws
/// ReportError; OutputIsInput where it is one of `inputs`.
void write_file(const std::filesystem::path& path,
                const InputFiles& inputs,
                const std::function<void(TextSink&)>& write);

}} // namespace bursar::reports
