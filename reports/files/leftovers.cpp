#include "reports/files/leftovers.hpp"

#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t max_name_part =
    200; ///< of a file name inside a temporary one; 255 are possible

std::string temporary_stem(std::string_view name) {
    return fmt::format(".{}.bursar-", name.substr(0, max_name_part));
}

/// Whether it is a regular file that no process claims. The kernel drops the claims of dead
/// processes.
bool is_unclaimed(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    struct stat status {};
    const bool unclaimed = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                           ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    ::close(descriptor);
    return unclaimed;
}

} // namespace

std::string temporary_name(std::string_view name, int number) {
    return fmt::format("{}{}-{}", temporary_stem(name), ::getpid(), number);
}

bool is_temporary_name(std::string_view candidate, std::string_view name) {
    const std::string stem = temporary_stem(name);
    return candidate.starts_with(stem) && candidate.size() > stem.size() &&
           candidate.find_first_not_of("0123456789-", stem.size()) == std::string_view::npos;
}

void claim(int descriptor) {
    ::flock(descriptor, LOCK_EX | LOCK_NB); // where there are no locks, nothing is cleared either
}

void clear_leftovers(const std::filesystem::path& directory, std::string_view name) {
    namespace fs = std::filesystem;
    std::error_code error; // what cannot be cleared stays: the file itself is what counts
    for (fs::directory_iterator entry{directory, error};
         !error && entry != fs::directory_iterator{};
         entry.increment(error)) {
        const fs::path& path = entry->path();
        if (is_temporary_name(path.filename().string(), name) && is_unclaimed(path))
            ::unlink(path.c_str());
    }
}

}} // namespace bursar::reports
