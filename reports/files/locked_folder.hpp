#pragma once

#include <chrono>
#include <filesystem>

namespace bursar { inline namespace reports {

/// Locks a folder against other processes that write outputs while this lives. It uses flock(2) on
/// the folder itself, so that a dead process leaves no lock. It has no effect on file systems
/// without locks, as some network file systems are.
class LockedFolder {
  public:
    /// Waits while another process holds the lock. Throws ReportError after `max_wait`.
    explicit LockedFolder(const std::filesystem::path& folder,
                          std::chrono::milliseconds max_wait = std::chrono::minutes{1});
    ~LockedFolder();
    LockedFolder(const LockedFolder&) = delete;
    LockedFolder& operator=(const LockedFolder&) = delete;

  private:
    int descriptor_;
};

}} // namespace bursar::reports
