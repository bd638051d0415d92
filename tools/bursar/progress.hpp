#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace bursar {

/// A line on stderr that says how far a run is, at what rate, and when it will be done. Only on a
/// terminal, only once a run has taken half a second, and wiped out again at the end.
class Progress {
  public:
    explicit Progress(std::uint64_t num_jobs);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// The run adds up its finished jobs here; null where nobody watches.
    [[nodiscard]] std::atomic<std::uint64_t>* finished_jobs() {
        return watcher_.joinable() ? &finished_ : nullptr;
    }

  private:
    void watch();
    [[nodiscard]] std::string line() const;

    std::uint64_t num_jobs_;
    std::chrono::steady_clock::time_point begin_;
    std::atomic<std::uint64_t> finished_{};
    std::mutex mutex_;
    std::condition_variable done_changed_;
    bool done_{};
    std::thread watcher_;
};

} // namespace bursar
