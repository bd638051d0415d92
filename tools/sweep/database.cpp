#include "tools/sweep/database.hpp"

#include <cerrno>
#include <utility>

#include <sqlite3.h>

#include "reports/errors/report_error.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace tools {

Database::Database(std::string file, Open open) : file_{std::move(file)} {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX; // who reads recovers the log
    if (open != Open::to_read)
        flags |= SQLITE_OPEN_CREATE;
    sqlite3* handle = nullptr; // there is one to close where opening fails, too
    const int code = sqlite3_open_v2(file_.c_str(), &handle, flags, nullptr);
    handle_.reset(handle);
    if (code != SQLITE_OK) {
        const std::string why = handle != nullptr ? sqlite3_errmsg(handle) : "out of memory";
        throw ReportError{terminal_text(file_) + ": " + why};
    }
    sqlite3_busy_timeout(handle, 10'000); // of who only looks at it
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
                         system == EDQUOT; // which is "disk I/O error" in SQLite's words
    const std::string what = terminal_text(file_) + ": ";
    if (sqlite3_errcode(handle_.get()) == SQLITE_NOTADB ||
        sqlite3_errcode(handle_.get()) == SQLITE_CORRUPT)
        throw BadResult{what +
                        "is no database, or a damaged one: " + sqlite3_errmsg(handle_.get())};
    if (sqlite3_errcode(handle_.get()) == SQLITE_ERROR) // what is asked never changes
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
    database_.check(sqlite3_bind_text(statement_,
                                      number,
                                      text.data(),
                                      static_cast<int>(text.size()),
                                      SQLITE_TRANSIENT)); // NOLINT
}

void Database::Statement::set(int number, std::int64_t value) {
    database_.check(sqlite3_bind_int64(statement_, number, value));
}

void Database::Statement::set(int number, std::optional<double> value) {
    database_.check(value ? sqlite3_bind_double(statement_, number, *value)
                          : sqlite3_bind_null(statement_, number));
}

bool Database::Statement::step() {
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
    const double number = sqlite3_column_double(statement_, column); // 0 where it is null
    return number == 0 && is_null(column) ? std::nullopt : std::optional{number};
}

bool Database::Statement::is_null(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

Database::Type Database::Statement::type(int column) const {
    switch (sqlite3_column_type(statement_, column)) {
    case SQLITE_NULL:
        return Type::null;
    case SQLITE_INTEGER:
        return Type::integer;
    case SQLITE_FLOAT:
        return Type::number;
    case SQLITE_TEXT:
        return Type::text;
    default:
        return Type::bytes;
    }
}

std::string Database::Statement::name(int column) const {
    const char* const name = sqlite3_column_name(statement_, column);
    return name == nullptr ? "" : name;
}

std::string sql_name(std::string_view name) {
    std::string out = "\"";
    for (const char c : name)
        out += c == '"' ? std::string{"\"\""} : std::string{c};
    return out + '"';
}

}} // namespace bursar::tools
