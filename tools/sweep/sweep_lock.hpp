#pragma once

#include <filesystem>
#include <string_view>

namespace bursar { inline namespace tools {

inline constexpr std::string_view lock_name = ".sweep.lock";

/// A folder that one sweep at a time writes into: flock(2) on a file in it, so that nothing is left
/// of a process that dies. Where the file system has no locks, it is merely open.
class SweepLock {
  public:
    /// The folder is made if need be. Throws ReportError where another sweep has it.
    explicit SweepLock(const std::filesystem::path& folder);
    ~SweepLock();
    SweepLock(const SweepLock&) = delete;
    SweepLock& operator=(const SweepLock&) = delete;

  private:
    int descriptor_{-1};
};

}} // namespace bursar::tools
