#include "reports/files/pending_file.hpp"

#include <cerrno>
#include <cstdio>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/files/file_calls.hpp"
#include "reports/files/leftovers.hpp"

namespace bursar { inline namespace reports {
namespace {

/// The path of descriptor 7 in /proc. Linking it gives the file a name without special rights
/// (open(2), O_TMPFILE).
constexpr const char* descriptor_folder = "/proc/self/fd";

constexpr int max_names = 100; ///< temporary names that are tried

int open_nameless(const std::filesystem::path& directory) {
    if (::access(descriptor_folder, X_OK) != 0)
        return -1;
    return ::open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

} // namespace

PendingFile::PendingFile(const std::filesystem::path& directory,
                         std::string_view name,
                         const InputFiles& inputs)
    : directory_{directory}, place_{directory / name} {
    inputs.refuse(place_);
    clear_leftovers(directory, name);
    descriptor_ = open_nameless(directory);
    if (descriptor_ < 0)
        open_named();
    claim(descriptor_);
}

PendingFile::~PendingFile() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
    discard();
}

void PendingFile::discard() noexcept {
    if (named_)
        ::unlink(temporary_.c_str());
    named_ = false;
}

bool PendingFile::next_name() {
    temporary_ = directory_ / temporary_name(place_.filename().string(), num_names_);
    return num_names_++ < max_names;
}

void PendingFile::open_named() {
    errno = EEXIST;
    while (descriptor_ < 0 && errno == EEXIST && next_name()) // never through what lies there
        descriptor_ =
            ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
        fail("be opened");
    named_ = true;
}

void PendingFile::finish() {
    flush();
    if (!sync_to_disk(descriptor_))
        fail("be written to disk");
}

void PendingFile::link() {
    const std::string self = fmt::format("{}/{}", descriptor_folder, descriptor_);
    errno = EEXIST;
    while (!named_ && errno == EEXIST && next_name())
        named_ =
            ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) == 0;
    if (!named_)
        fail("be named");
}

bool PendingFile::rename_with(unsigned flags) const {
    return ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, place_.c_str(), flags) == 0;
}

void PendingFile::put_in_place() {
    struct stat status {};
    errno = EISDIR; // which could be swapped, too
    if (::lstat(place_.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
        fail("be replaced");
    if (rename_with(RENAME_EXCHANGE)) {
        taken_ = Place::swapped;
        return;
    }
    if (rename_with(RENAME_NOREPLACE)) {
        taken_ = Place::was_empty;
    } else {
        if (::rename(temporary_.c_str(), place_.c_str()) != 0)
            fail("be replaced");
        taken_ = Place::replaced;
    }
    named_ = false;
}

void PendingFile::take_back() noexcept {
    if (taken_ == Place::swapped)
        (void)rename_with(RENAME_EXCHANGE);
    if (taken_ == Place::was_empty)
        named_ = ::rename(place_.c_str(), temporary_.c_str()) == 0;
    taken_ = Place::not_taken;
}

void PendingFile::drain(std::string_view text) {
    if (!write_all(descriptor_, text))
        fail("be written");
}

void PendingFile::fail(const char* operation) const {
    fail_file(place_, operation, errno);
}

}} // namespace bursar::reports
