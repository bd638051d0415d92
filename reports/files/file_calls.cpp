#include "reports/files/file_calls.hpp"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace bursar { inline namespace reports {

bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0)
            text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

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
