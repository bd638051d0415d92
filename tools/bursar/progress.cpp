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

ProgressLine::ProgressLine(std::uint64_t total, std::string_view noun)
    : total_{total}, noun_{noun}, begin_{std::chrono::steady_clock::now()} {
    if (is_terminal(stderr))
        watcher_ = std::thread{[this] { watch(); }};
}

ProgressLine::~ProgressLine() {
    if (!watcher_.joinable())
        return;
    {
        const std::lock_guard lock{mutex_};
        done_ = true;
    }
    done_changed_.notify_one();
    watcher_.join();
}

void ProgressLine::watch() {
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

std::string ProgressLine::line() const {
    const std::uint64_t num_done = num_done_.load(std::memory_order_relaxed);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    const double rate = static_cast<double>(num_done) / seconds;
    if (num_done == 0)
        return fmt::format("0 of {} {}", total_, noun_);
    return fmt::format("{} of {} {}  {}/s  {:.0f} s left",
                       num_done,
                       total_,
                       noun_,
                       rate < 1e5 ? fmt::format("{:.1f}", rate)
                                  : fmt::format("{:.1f} M", rate / 1e6),
                       static_cast<double>(total_ - num_done) / rate);
}

} // namespace bursar
