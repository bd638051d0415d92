#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

// Only database.cpp includes the library.
struct sqlite3;
struct sqlite3_stmt;

namespace bursar { inline namespace tools {

/// An SQLite file, used by one thread at a time. Errors are a ReportError with the file and
/// SQLite's message, or that the disk is full. A damaged file, or one without the tables and
/// columns of a statement, is a BadResult.
class Database {
  public:
    enum class Open : std::uint8_t {
        to_write, ///< row by row: a write-ahead log makes small transactions cheap
        to_fill,  ///< in a few large transactions, without a log, which would write pages twice
        to_read,
    };

    /// file: made if it is missing, unless it is only read; ":memory:" is no file. If the process
    /// is killed, committed transactions stay and others are lost.
    explicit Database(std::string file, Open open = Open::to_write);
    Database(const Database&) = delete; // statements point at it
    Database& operator=(const Database&) = delete;

    /// Runs statements that give no rows.
    void run(const std::string& sql);

    /// A prepared statement. Values count from 1, columns from 0.
    class Statement {
      public:
        Statement(Database& database, const std::string& sql);
        ~Statement();
        Statement(const Statement&) = delete;
        Statement& operator=(const Statement&) = delete;

        void set(int number, std::string_view text);
        void set(int number, std::int64_t value);
        void set(int number, std::optional<double> value);
        /// Sets the hash of the values set so far for this row, in that order.
        void set_row_hash(int number);

        /// Moves to the next row; false after the last. The statement can then run again.
        bool step();
        /// Runs a statement that gives no rows.
        void run();

        [[nodiscard]] std::string text(int column) const;
        [[nodiscard]] std::int64_t integer(int column) const;
        [[nodiscard]] std::optional<double> number(int column) const;
        /// Whether the last column has the hash of those before it, as set_row_hash() wrote it.
        [[nodiscard]] bool has_right_hash() const;

      private:
        Database& database_;
        sqlite3_stmt* statement_{};
        std::string row_; ///< the values set for this row, as they are hashed
    };

  private:
    [[noreturn]] void fail() const;
    void check(int code) const;

    std::string file_;
    struct Close {
        void operator()(sqlite3* handle) const;
    };
    std::unique_ptr<sqlite3, Close> handle_;
};

/// Groups the writes of a twentieth of a second into one transaction. The first write opens it, and
/// a thread of this class commits it that much later. A killed process loses its whole open
/// transaction.
class GroupedWrites {
  public:
    static constexpr std::chrono::milliseconds span{50};

    /// Both outlive this. mutex: held while the database is used.
    GroupedWrites(Database& database, std::mutex& mutex);
    /// Commits the open transaction; errors are ignored.
    ~GroupedWrites();
    GroupedWrites(const GroupedWrites&) = delete;
    GroupedWrites& operator=(const GroupedWrites&) = delete;

    /// Call it before each write, with the mutex locked. Throws the error of an earlier commit.
    void begin();
    /// Commits the open transaction, if any, with the mutex locked. Throws as begin().
    void commit();

  private:
    void end_in_time(const std::stop_token& stop);
    void throw_if_failed();

    Database& database_;
    std::mutex& mutex_;
    std::condition_variable_any opened_;
    bool is_open_{};
    std::exception_ptr failed_; ///< error of the thread's commit; thrown at the next write
    std::jthread thread_;
};

/// A name quoted for SQL: "a""b".
[[nodiscard]] std::string sql_name(std::string_view name);

}} // namespace bursar::tools
