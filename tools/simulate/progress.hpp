#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace bursar { inline namespace tools {

/// How far something is.
struct ProgressReport {
    std::uint64_t done{};
    std::uint64_t total{};
    std::chrono::nanoseconds elapsed{}; ///< since it began
};

/// Told now and then how far something is, from a thread of its own. Must not throw.
using OnProgress = std::function<void(const ProgressReport&)>;

/// Tells a listener how far something is, as long as this lives.
class ProgressWatch {
  public:
    /// When the listener is told: not before `patience` (what is done at once is not worth a word),
    /// then every `interval`.
    struct Pace {
        std::chrono::milliseconds patience{700};
        std::chrono::milliseconds interval{200};
    };

    /// total: of what done() counts. An empty listener is never told, and costs no thread.
    ProgressWatch(std::uint64_t total, OnProgress on_progress);
    ProgressWatch(std::uint64_t total, OnProgress on_progress, Pace pace);
    ~ProgressWatch();
    ProgressWatch(const ProgressWatch&) = delete;
    ProgressWatch& operator=(const ProgressWatch&) = delete;

    /// What is done is added up here; null where nobody listens.
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
