#include "reports/files/pending_file.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "reports/errors/report_error.hpp"
#include "reports/text/escape.hpp"

namespace bursar::inline reports {
namespace {

/// Where the kernel shows descriptor 7 as the file that it stands for; linking that gives the file
/// a name without special rights (open(2), O_TMPFILE).
constexpr const char* descriptor_folder = "/proc/self/fd";

int open_nameless(const std::filesystem::path& directory) {
    if (::access(descriptor_folder, X_OK) != 0)
        return -1;
    return ::open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

} // namespace

PendingFile::PendingFile(const std::filesystem::path& directory, std::string_view name)
    : place_{directory / name}, temporary_{directory / fmt::format(".{}.{}", name, ::getpid())},
      descriptor_{open_nameless(directory)} {
    if (descriptor_ >= 0)
        return;
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
        fail("be opened");
    named_ = true;
}

PendingFile::~PendingFile() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
    if (named_)
        ::unlink(temporary_.c_str());
}

void PendingFile::make_ready() {
    flush();
    if (!named_)
        link();
    if (::close(std::exchange(descriptor_, -1)) != 0)
        fail("be closed");
}

void PendingFile::link() {
    const std::string self = fmt::format("{}/{}", descriptor_folder, descriptor_);
    ::unlink(temporary_.c_str()); // of a process with this number that was killed
    if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) != 0)
        fail("be named");
    named_ = true;
}

void PendingFile::put_in_place() {
    if (::rename(temporary_.c_str(), place_.c_str()) != 0)
        fail("be replaced");
    named_ = false;
}

void PendingFile::drain(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor_, text.data(), text.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            fail("be written");
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void PendingFile::fail(const char* operation) const {
    const int error = errno;
    throw ReportError{terminal_text(place_.string()) + ": cannot " + operation + ": " +
                      std::generic_category().message(error)};
}

} // namespace bursar::inline reports
