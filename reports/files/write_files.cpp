#include "reports/files/write_files.hpp"

#include <cerrno>
#include <deque>
#include <system_error>

#include "reports/errors/report_error.hpp"
#include "reports/files/file_error.hpp"
#include "reports/files/held_signals.hpp"
#include "reports/files/locked_folder.hpp"
#include "reports/files/pending_file.hpp"
#include "reports/files/sync.hpp"
#include "reports/text/escape.hpp"

namespace bursar::inline reports {
namespace {

void make_directory(const std::filesystem::path& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) {
        throw ReportError{terminal_text(directory.string()) +
                          ": cannot make the directory: " + error.message()};
    }
}

} // namespace

void check_place(const std::filesystem::path& directory,
                 std::string_view name,
                 const InputFiles& inputs) {
    namespace fs = std::filesystem;
    const fs::path place = directory / name;
    std::error_code missing;
    const fs::file_type type = fs::symlink_status(place, missing).type();
    if (type == fs::file_type::directory)
        fail_file(place, "be replaced", EISDIR);
    if (type != fs::file_type::regular && type != fs::file_type::symlink &&
        type != fs::file_type::not_found && type != fs::file_type::none)
        throw ReportError{terminal_text(place.string()) + ": cannot be replaced: no regular file"};
    inputs.refuse(place);
}

void write_files(const std::filesystem::path& directory,
                 const std::vector<FileContent>& contents,
                 const InputFiles& inputs) {
    make_directory(directory);
    const LockedFolder alone{directory};
    // Before anything is replaced, so that a directory does not end up with files of two runs.
    for (const FileContent& content : contents)
        check_place(directory, content.name, inputs);
    std::deque<PendingFile> files; // they do not move
    for (const FileContent& content : contents)
        content.write(files.emplace_back(directory, content.name, inputs));
    for (PendingFile& file : files)
        file.finish();
    {
        const HeldSignals no_stop_between;
        for (PendingFile& file : files)
            file.link();
        for (PendingFile& file : files)
            file.put_in_place();
    }
    sync_folder(directory);
}

} // namespace bursar::inline reports
