#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace bursar {

/// A line on stderr that says how much of something is done, at what rate, and when all will be.
/// Only on a terminal, only once it has taken half a second, and wiped out again at the end.
class ProgressLine {
  public:
    /// noun: what there are `total` of, "jobs"; must outlive this.
    ProgressLine(std::uint64_t total, std::string_view noun);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// What is done is added up here; null where nobody watches.
    [[nodiscard]] std::atomic<std::uint64_t>* done() {
        return watcher_.joinable() ? &num_done_ : nullptr;
    }

  private:
    void watch();
    [[nodiscard]] std::string line() const;

    std::uint64_t total_;
    std::string_view noun_;
    std::chrono::steady_clock::time_point begin_;
    std::atomic<std::uint64_t> num_done_{};
    std::mutex mutex_;
    std::condition_variable done_changed_;
    bool done_{};
    std::thread watcher_;
};

} // namespace bursar
