#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace bursar { inline namespace tools {

/// Progress of a task.
struct ProgressReport {
    std::uint64_t done{};
    std::uint64_t total{};
    std::chrono::nanoseconds elapsed{}; ///< since it began
};

/// Called from time to time with the progress of a task, from a separate thread. Must not throw.
using OnProgress = std::function<void(const ProgressReport&)>;

/// Calls a listener with the progress of a task, as long as this lives.
class ProgressWatch {
  public:
    /// When the listener is called: first after `patience`, so never for short tasks, then every
    /// `interval`.
    struct Pace {
        std::chrono::milliseconds patience{700};
        std::chrono::milliseconds interval{200};
    };

    /// total: of what done() counts. An empty listener costs no thread.
    ProgressWatch(std::uint64_t total, OnProgress on_progress);
    ProgressWatch(std::uint64_t total, OnProgress on_progress, Pace pace);
    ~ProgressWatch();
    ProgressWatch(const ProgressWatch&) = delete;
    ProgressWatch& operator=(const ProgressWatch&) = delete;

    /// Counts what is done; null without a listener.
    [[nodiscard]] std::atomic<std::uint64_t>* done() {
        return watcher_.joinable() ? &num_done_ : nullptr;
    }

  private:
    void watch();

    std::uint64_t total_;
    OnProgress on_progress_;
    Pace pace_;
    std::chrono::steady_clock::time_point begin_;
    std::atomic<std::uint64_t> num_done_{};
    std::mutex mutex_;
    std::condition_variable over_changed_;
    bool over_{};
    std::thread watcher_;
};

}} // namespace bursar::tools
