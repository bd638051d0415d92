#pragma once

#include <filesystem>
#include <string_view>

namespace bursar { inline namespace tools {

inline constexpr std::string_view lock_name = ".sweep.lock";

/// A folder that one sweep at a time writes into. The lock is flock(2) on a file in it, so a
/// process that dies leaves no lock. On file systems without locks it does nothing.
class SweepLock {
  public:
    /// Makes the folder if needed. Throws ReportError if another sweep has the lock.
    explicit SweepLock(const std::filesystem::path& folder);
    ~SweepLock();
    SweepLock(const SweepLock&) = delete;
    SweepLock& operator=(const SweepLock&) = delete;

  private:
    int descriptor_{-1};
};

}} // namespace bursar::tools
