#include "tools/bursar/progress.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "tools/bursar/messages.hpp"
#include "tools/bursar/terminal.hpp"

namespace bursar {
namespace {

constexpr std::chrono::milliseconds patience{500};
constexpr std::chrono::milliseconds refresh{200};

} // namespace

Progress::Progress(std::uint64_t num_jobs)
    : num_jobs_{num_jobs}, begin_{std::chrono::steady_clock::now()} {
    if (is_terminal(stderr))
        watcher_ = std::thread{[this] { watch(); }};
}

Progress::~Progress() {
    if (!watcher_.joinable())
        return;
    {
        const std::lock_guard lock{mutex_};
        done_ = true;
    }
    done_changed_.notify_one();
    watcher_.join();
}

void Progress::watch() {
    std::unique_lock lock{mutex_};
    const auto is_done = [this] { return done_; };
    if (done_changed_.wait_for(lock, patience, is_done))
        return;
    while (!done_changed_.wait_for(lock, refresh, is_done)) {
        say("\r\x1b[K{}", line());
        std::fflush(stderr);
    }
    say("\r\x1b[K");
    std::fflush(stderr);
}

std::string Progress::line() const {
    const std::uint64_t finished = finished_.load(std::memory_order_relaxed);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    const double rate = static_cast<double>(finished) / seconds;
    if (finished == 0)
        return fmt::format("0 of {} jobs", num_jobs_);
    return fmt::format("{} of {} jobs  {:.1f} M jobs/s  {:.0f} s left",
                       finished,
                       num_jobs_,
                       rate / 1e6,
                       static_cast<double>(num_jobs_ - finished) / rate);
}

} // namespace bursar
