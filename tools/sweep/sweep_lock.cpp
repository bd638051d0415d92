#include "tools/sweep/sweep_lock.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "reports/errors/report_error.hpp"
#include "reports/files/file_calls.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace tools {

SweepLock::SweepLock(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        fail_file(folder, "make this folder", error.value());
    const std::filesystem::path file = folder / lock_name;
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
        fail_file(file, "open", errno);
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return;
    ::close(descriptor_);
    throw ReportError{terminal_text(folder.string()) +
                      ": another sweep is writing into this folder"};
}

SweepLock::~SweepLock() {
    ::close(descriptor_);
}

}} // namespace bursar::tools
