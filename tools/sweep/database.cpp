#include "tools/sweep/database.hpp"

#include <bit>
#include <cerrno>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>
#include <xxhash.h>

#include "reports/errors/report_error.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace tools {
namespace {

/// Appends a value in the form that is hashed: its type, its size or bits, its bytes.
void append_value(std::string& row, char type, std::uint64_t bits, std::string_view bytes = {}) {
    row += type;
    for (int shift = 0; shift < 64; shift += 8)
        row += static_cast<char>(bits >> shift & 0xffU);
    row += bytes;
}

void append_text(std::string& row, std::string_view text) {
    append_value(row, 't', text.size(), text);
}

void append_integer(std::string& row, std::int64_t value) {
    append_value(row, 'i', static_cast<std::uint64_t>(value));
}

/// SQLite does not keep the sign of a zero.
void append_number(std::string& row, double value) {
    append_value(row, 'r', std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value));
}

std::string row_hash(std::string_view row) {
    return fmt::format("{:016x}", XXH3_64bits(row.data(), row.size()));
}

} // namespace

Database::Database(std::string file, Open open) : file_{std::move(file)} {
    // a reader must be able to recover the log
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    if (open != Open::to_read)
        flags |= SQLITE_OPEN_CREATE;
    sqlite3* handle = nullptr; // it must be closed even if opening fails
    const int code = sqlite3_open_v2(file_.c_str(), &handle, flags, nullptr);
    handle_.reset(handle);
    if (code != SQLITE_OK) {
        const std::string why = handle != nullptr ? sqlite3_errmsg(handle) : "out of memory";
        throw ReportError{terminal_text(file_) + ": " + why};
    }
    sqlite3_busy_timeout(handle, 10'000); // waits 10 s for readers
    run("PRAGMA mmap_size=1073741824; PRAGMA cache_size=-65536");
    if (open == Open::to_write)
        run("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL");
    else if (open == Open::to_fill)
        run("PRAGMA journal_mode=DELETE; PRAGMA synchronous=NORMAL");
}

void Database::Close::operator()(sqlite3* handle) const {
    sqlite3_close(handle);
}

void Database::fail() const {
    const int system = sqlite3_system_errno(handle_.get());
    const bool is_full = sqlite3_errcode(handle_.get()) == SQLITE_FULL || system == ENOSPC ||
                         system == EDQUOT; // SQLite reports it as "disk I/O error"
    const std::string what = terminal_text(file_) + ": ";
    if (sqlite3_errcode(handle_.get()) == SQLITE_NOTADB ||
        sqlite3_errcode(handle_.get()) == SQLITE_CORRUPT)
        throw BadResult{what +
                        "is no database, or a damaged one: " + sqlite3_errmsg(handle_.get())};
    if (sqlite3_errcode(handle_.get()) == SQLITE_ERROR) // statements are fixed, so the file is
                                                        // wrong
        throw BadResult{what + "is damaged: " + terminal_text(sqlite3_errmsg(handle_.get()))};
    throw ReportError{what + (is_full ? "the disk is full" : sqlite3_errmsg(handle_.get()))};
}

void Database::check(int code) const {
    if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE)
        fail();
}

void Database::run(const std::string& sql) {
    check(sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr));
}

Database::Statement::Statement(Database& database, const std::string& sql) : database_{database} {
    database_.check(sqlite3_prepare_v2(
        database_.handle_.get(), sql.c_str(), static_cast<int>(sql.size()), &statement_, nullptr));
}

Database::Statement::~Statement() {
    sqlite3_finalize(statement_);
}

void Database::Statement::set(int number, std::string_view text) {
    append_text(row_, text);
    database_.check(sqlite3_bind_text(statement_,
                                      number,
                                      text.data(),
                                      static_cast<int>(text.size()),
                                      SQLITE_TRANSIENT)); // NOLINT
}

void Database::Statement::set(int number, std::int64_t value) {
    append_integer(row_, value);
    database_.check(sqlite3_bind_int64(statement_, number, value));
}

void Database::Statement::set(int number, std::optional<double> value) {
    if (value)
        append_number(row_, *value);
    else
        append_value(row_, 'n', 0);
    database_.check(value ? sqlite3_bind_double(statement_, number, *value)
                          : sqlite3_bind_null(statement_, number));
}

void Database::Statement::set_row_hash(int number) {
    set(number, row_hash(std::exchange(row_, {})));
}

bool Database::Statement::step() {
    row_.clear();
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW)
        return true;
    database_.check(sqlite3_reset(statement_));
    return false;
}

void Database::Statement::run() {
    while (step()) {
    }
}

std::string Database::Statement::text(int column) const {
    const auto* bytes = sqlite3_column_text(statement_, column);
    const int size = sqlite3_column_bytes(statement_, column);
    return bytes == nullptr ? std::string{}
                            : std::string{reinterpret_cast<const char*>(bytes), // NOLINT
                                          static_cast<std::size_t>(size)};
}

std::int64_t Database::Statement::integer(int column) const {
    return sqlite3_column_int64(statement_, column);
}

std::optional<double> Database::Statement::number(int column) const {
    const double number = sqlite3_column_double(statement_, column); // 0 if it is null
    const bool is_null = number == 0 && sqlite3_column_type(statement_, column) == SQLITE_NULL;
    return is_null ? std::nullopt : std::optional{number};
}

bool Database::Statement::has_right_hash() const {
    std::string row;
    const int last = sqlite3_column_count(statement_) - 1;
    for (int column = 0; column < last; ++column) {
        switch (sqlite3_column_type(statement_, column)) {
        case SQLITE_INTEGER:
            append_integer(row, integer(column));
            break;
        case SQLITE_FLOAT:
            append_number(row, sqlite3_column_double(statement_, column));
            break;
        case SQLITE_NULL:
            append_value(row, 'n', 0);
            break;
        default:
            append_text(row, text(column));
        }
    }
    return text(last) == row_hash(row);
}

GroupedWrites::GroupedWrites(Database& database, std::mutex& mutex)
    : database_{database}, mutex_{mutex},
      thread_{[this](const std::stop_token& stop) { end_in_time(stop); }} {}

GroupedWrites::~GroupedWrites() {
    thread_.request_stop();
    thread_.join();
    try {
        commit();
    } catch (...) { // NOLINT(bugprone-empty-catch): commit() reports errors, and was called before
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

std::string sql_name(std::string_view name) {
    std::string out = "\"";
    for (const char c : name)
        out += c == '"' ? std::string{"\"\""} : std::string{c};
    return out + '"';
}

}} // namespace bursar::tools
