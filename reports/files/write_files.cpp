#include "reports/files/write_files.hpp"

#include <cerrno>
#include <deque>
#include <system_error>

#include <unistd.h>

#include "reports/errors/report_error.hpp"
#include "reports/files/file_error.hpp"
#include "reports/files/held_signals.hpp"
#include "reports/files/locked_folder.hpp"
#include "reports/files/pending_file.hpp"
#include "reports/files/sync.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_make(const fs::path& directory, const std::string& why) {
    throw ReportError{terminal_text(directory.string()) + ": cannot make the directory: " + why};
}

/// Makes the folder and those above it; the entries of new ones are on the disk then.
void make_directory(const fs::path& directory) {
    std::error_code error;
    std::vector<fs::path> made;
    for (fs::path one = directory; !one.empty() && !fs::exists(one, error); one = one.parent_path())
        made.push_back(one);
    fs::create_directories(directory, error);
    if (error)
        fail_to_make(directory, error.message());
    for (const fs::path& one : made)
        sync_folder(one.has_parent_path() ? one.parent_path() : ".");
}

/// Throws where the folder cannot be made, or no file made in it.
void check_folder(const fs::path& directory) {
    fs::path nearest = directory; // that is there
    std::error_code error;
    fs::file_status status = fs::status(nearest, error);
    while (status.type() == fs::file_type::not_found && !nearest.empty()) {
        nearest = nearest.parent_path();
        status = fs::status(nearest.empty() ? "." : nearest, error);
    }
    if (status.type() != fs::file_type::none && !fs::is_directory(status))
        fail_to_make(directory, std::generic_category().message(ENOTDIR));
    if (::access(nearest.empty() ? "." : nearest.c_str(), W_OK | X_OK) != 0)
        fail_file(directory, "be written into", errno);
}

/// All of them or, where one fails, none.
void put_in_places(std::deque<PendingFile>& files) {
    const HeldSignals no_stop_between;
    try {
        for (PendingFile& file : files)
            file.link();
        for (PendingFile& file : files)
            file.put_in_place();
    } catch (...) {
        for (PendingFile& file : files) {
            file.take_back();
            file.discard();
        }
        throw;
    }
    for (PendingFile& file : files)
        file.discard();
}

bool is_file(const fs::path& place) {
    std::error_code missing;
    const fs::file_type type = fs::symlink_status(place, missing).type();
    return type == fs::file_type::regular || type == fs::file_type::symlink;
}

void remove_others(const fs::path& directory, const std::vector<FileContent>& contents) {
    for (const FileContent& content : contents)
        for (const std::string& name : content.instead_of) {
            const fs::path other = directory / name;
            if (is_file(other) && ::unlink(other.c_str()) != 0)
                fail_file(other, "be removed", errno);
        }
}

} // namespace

void check_place(const std::filesystem::path& directory,
                 std::string_view name,
                 const InputFiles& inputs) {
    check_folder(directory);
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
    for (const FileContent& content : contents) {
        check_place(directory, content.name, inputs);
        for (const std::string& other : content.instead_of)
            inputs.refuse(directory / other);
    }
    std::deque<PendingFile> files; // they do not move
    for (const FileContent& content : contents)
        content.write(files.emplace_back(directory, content.name, inputs));
    for (PendingFile& file : files)
        file.finish();
    {
        const HeldSignals no_stop_between;
        put_in_places(files);
        remove_others(directory, contents);
    }
    sync_folder(directory);
}

}} // namespace bursar::reports
