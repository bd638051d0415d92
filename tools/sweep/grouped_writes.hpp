#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "tools/sweep/database.hpp"

namespace bursar { inline namespace tools {

/// Writes into a database that belong together because they are made in one twentieth of a second:
/// the first opens a transaction, and a thread of its own ends it that much later, whether or not
/// more is written until then. A process that is killed loses what its open transaction holds,
/// whole.
class GroupedWrites {
  public:
    static constexpr std::chrono::milliseconds span{50};

    /// Both outlive this. mutex: held by whoever uses the database.
    GroupedWrites(Database& database, std::mutex& mutex);
    /// Ends the transaction that is open, as far as that is possible.
    ~GroupedWrites();
    GroupedWrites(const GroupedWrites&) = delete;
    GroupedWrites& operator=(const GroupedWrites&) = delete;

    /// Before each write. The lock is held. Throws what went wrong with writes before.
    void begin();
    /// Ends the transaction, if one is open. The lock is held. Throws as begin().
    void commit();

  private:
    void end_in_time(const std::stop_token& stop);
    void throw_if_failed();

    Database& database_;
    std::mutex& mutex_;
    std::condition_variable_any opened_;
    bool is_open_{};
    std::exception_ptr failed_; ///< by the thread; whoever writes next is told
    std::jthread thread_;
};

}} // namespace bursar::tools
