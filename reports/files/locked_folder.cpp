#include "reports/files/locked_folder.hpp"

#include <cerrno>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "reports/errors/report_error.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Locks an open folder; false where another process has kept it for `max_wait`.
bool lock(int folder, std::chrono::milliseconds max_wait) {
    constexpr std::chrono::milliseconds pause{10};
    for (std::chrono::milliseconds waited{};; waited += pause) {
        if (::flock(folder, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR))
            return true;
        if (waited >= max_wait)
            return false;
        std::this_thread::sleep_for(pause);
    }
}

} // namespace

LockedFolder::LockedFolder(const std::filesystem::path& folder, std::chrono::milliseconds max_wait)
    : descriptor_{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)} {
    if (descriptor_ < 0 || lock(descriptor_, max_wait))
        return;
    ::close(descriptor_);
    throw ReportError{terminal_text(folder.string()) +
                      ": another process is writing into this folder"};
}

LockedFolder::~LockedFolder() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

}} // namespace bursar::reports
