#include "tools/simulate/progress.hpp"

#include <utility>

namespace bursar { inline namespace tools {

ProgressWatch::ProgressWatch(std::uint64_t total, OnProgress on_progress)
    : ProgressWatch{total, std::move(on_progress), Pace{}} {}

ProgressWatch::ProgressWatch(std::uint64_t total, OnProgress on_progress, Pace pace)
    : total_{total}, on_progress_{std::move(on_progress)}, pace_{pace},
      begin_{std::chrono::steady_clock::now()} {
    if (on_progress_)
        watcher_ = std::thread{[this] { watch(); }};
}

ProgressWatch::~ProgressWatch() {
    if (!watcher_.joinable())
        return;
    {
        const std::lock_guard lock{mutex_};
        over_ = true;
    }
    over_changed_.notify_one();
    watcher_.join();
}

void ProgressWatch::watch() {
    std::unique_lock lock{mutex_};
    const auto is_over = [this] { return over_; };
    for (auto pause = pace_.patience; !over_changed_.wait_for(lock, pause, is_over);
         pause = pace_.interval)
        on_progress_({num_done_.load(std::memory_order_relaxed),
                      total_,
                      std::chrono::steady_clock::now() - begin_});
}

}} // namespace bursar::tools
