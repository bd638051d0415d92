#include "tools/sweep/grouped_writes.hpp"

#include <utility>

namespace bursar { inline namespace tools {

GroupedWrites::GroupedWrites(Database& database, std::mutex& mutex)
    : database_{database}, mutex_{mutex},
      thread_{[this](const std::stop_token& stop) { end_in_time(stop); }} {}

GroupedWrites::~GroupedWrites() {
    thread_.request_stop();
    thread_.join();
    try {
        commit();
    } catch (...) { // NOLINT(bugprone-empty-catch): whoever had to know has asked before
    }
}

void GroupedWrites::begin() {
    throw_if_failed();
    if (is_open_)
        return;
    database_.run("BEGIN IMMEDIATE");
    is_open_ = true;
    opened_.notify_one();
}

void GroupedWrites::commit() {
    throw_if_failed();
    if (std::exchange(is_open_, false))
        database_.run("COMMIT");
}

void GroupedWrites::end_in_time(const std::stop_token& stop) {
    std::unique_lock lock{mutex_};
    while (opened_.wait(lock, stop, [&] { return is_open_; })) {
        const auto end = std::chrono::steady_clock::now() + span;
        opened_.wait_until(lock, stop, end, [&] { return !is_open_; });
        try {
            commit();
        } catch (...) {
            failed_ = std::current_exception();
        }
    }
}

void GroupedWrites::throw_if_failed() {
    if (failed_)
        std::rethrow_exception(failed_);
}

}} // namespace bursar::tools
