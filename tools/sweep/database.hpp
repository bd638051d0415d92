#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// The library behind this; only database.cpp includes it.
struct sqlite3;
struct sqlite3_stmt;

namespace bursar { inline namespace tools {

/// A file of SQLite, for one thread at a time. What fails is a ReportError with the file and
/// SQLite's words, or that the disk is full; BadResult where the file is damaged, or has not the
/// tables and columns that it is asked for.
class Database {
  public:
    enum class Open : std::uint8_t {
        to_write, ///< row by row: a write-ahead log is kept, which makes small transactions cheap
        to_fill,  ///< in a few large transactions: no log, whose pages are written twice
        to_read,
    };

    /// file: made if need be, unless it is only read; ":memory:" is none. What a transaction has
    /// written stays when the process is killed, and what it has not, is not there.
    explicit Database(std::string file, Open open = Open::to_write);
    Database(const Database&) = delete; // statements point at it
    Database& operator=(const Database&) = delete;

    /// Statements that give no rows, one behind the other.
    void run(const std::string& sql);

    /// What a cell holds.
    enum class Type : std::uint8_t { null, integer, number, text, bytes };

    /// A statement that is made ready once and run often. Values are set from number 1 on, columns
    /// are read from number 0 on.
    class Statement {
      public:
        Statement(Database& database, const std::string& sql);
        ~Statement();
        Statement(const Statement&) = delete;
        Statement& operator=(const Statement&) = delete;

        void set(int number, std::string_view text);
        void set(int number, std::int64_t value);
        void set(int number, std::optional<double> value);

        /// The next row; false behind the last. The statement can then be run again.
        bool step();
        /// step() of a statement that gives no rows.
        void run();

        [[nodiscard]] std::string text(int column) const;
        [[nodiscard]] std::int64_t integer(int column) const;
        [[nodiscard]] std::optional<double> number(int column) const;
        [[nodiscard]] bool is_null(int column) const;
        /// Of the cell, whatever its column is declared as; ask before the value is taken.
        [[nodiscard]] Type type(int column) const;
        /// Of the column.
        [[nodiscard]] std::string name(int column) const;

      private:
        Database& database_;
        sqlite3_stmt* statement_{};
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

/// A name as SQL writes it whatever it holds: "a""b".
[[nodiscard]] std::string sql_name(std::string_view name);

}} // namespace bursar::tools
