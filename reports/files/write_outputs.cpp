#include "reports/files/write_outputs.hpp"

#include <cerrno>
#include <deque>
#include <system_error>

#include "reports/errors/report_error.hpp"
#include "reports/files/pending_file.hpp"
#include "reports/registry.hpp"
#include "reports/text/escape.hpp"

namespace bursar {
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
void check_places(const std::filesystem::path& directory) {
    for (const Output& output : outputs()) {
        const std::filesystem::path place = directory / output.file;
        std::error_code error;
        if (std::filesystem::symlink_status(place, error).type() ==
            std::filesystem::file_type::directory) {
            throw ReportError{terminal_text(place.string()) +
                              ": cannot be replaced: " + std::generic_category().message(EISDIR)};
        }
    }
}

} // namespace

void write_outputs(const Result& result,
                   const std::filesystem::path& directory,
                   const OutputOptions& options) {
    make_directory(directory);
    OutputOptions file_options = options;
    file_options.colour = Colour::never;
    check_places(directory);
    std::deque<PendingFile> files; // they do not move
    for (const Output& output : outputs())
        output.write(result, file_options, files.emplace_back(directory, output.file));
    for (PendingFile& file : files)
        file.make_ready();
    for (PendingFile& file : files)
        file.put_in_place();
}

} // namespace bursar
