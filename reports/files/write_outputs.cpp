#include "reports/files/write_outputs.hpp"

#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "reports/errors/report_error.hpp"
#include "reports/files/file_sink.hpp"
#include "reports/registry.hpp"
#include "reports/text/escape.hpp"

namespace bursar {
namespace {

/// A file under a temporary name, removed again unless it was put in its place.
class PendingFile {
  public:
    PendingFile(const std::filesystem::path& directory, std::string_view name)
        : place_{directory / name},
          temporary_{directory / fmt::format(".{}.{}", name, ::getpid())} {}
    PendingFile(PendingFile&& other) noexcept
        : place_{std::move(other.place_)}, temporary_{std::exchange(other.temporary_, {})} {}
    PendingFile& operator=(PendingFile&&) = delete;
    ~PendingFile() {
        std::error_code ignored;
        if (!temporary_.empty())
            std::filesystem::remove(temporary_, ignored);
    }

    [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }

    void put_in_place() {
        std::error_code error;
        std::filesystem::rename(temporary_, place_, error);
        if (error) {
            throw ReportError{terminal_text(place_.string()) +
                              ": cannot be replaced: " + error.message()};
        }
        temporary_.clear();
    }

  private:
    std::filesystem::path place_;
    std::filesystem::path temporary_;
};

void make_directory(const std::filesystem::path& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) {
        throw ReportError{terminal_text(directory.string()) +
                          ": cannot make the directory: " + error.message()};
    }
}

} // namespace

void write_outputs(const Result& result,
                   const std::filesystem::path& directory,
                   const OutputOptions& options) {
    make_directory(directory);
    OutputOptions file_options = options;
    file_options.colour = Colour::never;
    std::vector<PendingFile> files;
    for (const Output& output : outputs()) {
        FileSink sink{files.emplace_back(directory, output.file).temporary()};
        output.write(result, file_options, sink);
        sink.close();
    }
    for (PendingFile& file : files)
        file.put_in_place();
}

} // namespace bursar
