#include "reports/files/sync.hpp"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "reports/files/file_error.hpp"

namespace bursar { inline namespace reports {

bool sync_to_disk(int descriptor) {
    while (::fsync(descriptor) != 0) {
        if (errno == EINVAL || errno == ENOTSUP || errno == EROFS)
            return true;
        if (errno != EINTR)
            return false;
    }
    return true;
}

void sync_folder(const std::filesystem::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    const bool synced = sync_to_disk(descriptor);
    const int error = errno;
    ::close(descriptor);
    if (!synced)
        fail_file(folder, "be written to disk", error);
}

}} // namespace bursar::reports
