#pragma once

#include <chrono>
#include <filesystem>

namespace bursar { inline namespace reports {

/// A folder that no other process writes outputs into while this lives (flock(2) on the folder
/// itself, so that nothing is left of a process that dies). Where the file system has no locks, as
/// some network file systems, it is merely open.
class LockedFolder {
  public:
    /// Waits for the process that has it. Throws ReportError after `max_wait`.
    explicit LockedFolder(const std::filesystem::path& folder,
                          std::chrono::milliseconds max_wait = std::chrono::minutes{1});
    ~LockedFolder();
    LockedFolder(const LockedFolder&) = delete;
    LockedFolder& operator=(const LockedFolder&) = delete;

  private:
    int descriptor_;
};

}} // namespace bursar::reports
