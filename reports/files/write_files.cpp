#include "reports/files/write_files.hpp"

#include <cerrno>
#include <deque>
#include <system_error>

#include "reports/errors/report_error.hpp"
#include "reports/files/pending_file.hpp"
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

/// Everything that can be told about the places before anything is replaced, so that a directory
/// does not end up with files of two runs.
void check_places(const std::filesystem::path& directory,
                  const std::vector<FileContent>& contents) {
    for (const FileContent& content : contents) {
        const std::filesystem::path place = directory / content.name;
        std::error_code error;
        if (std::filesystem::symlink_status(place, error).type() ==
            std::filesystem::file_type::directory) {
            throw ReportError{terminal_text(place.string()) +
                              ": cannot be replaced: " + std::generic_category().message(EISDIR)};
        }
    }
}

} // namespace

void write_files(const std::filesystem::path& directory, const std::vector<FileContent>& contents) {
    make_directory(directory);
    check_places(directory, contents);
    std::deque<PendingFile> files; // they do not move
    for (const FileContent& content : contents)
        content.write(files.emplace_back(directory, content.name));
    for (PendingFile& file : files)
        file.make_ready();
    for (PendingFile& file : files)
        file.put_in_place();
}

} // namespace bursar::inline reports
