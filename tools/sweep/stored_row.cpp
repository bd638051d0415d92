#include "tools/sweep/stored_row.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "reports/errors/report_error.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/escape.hpp"

#include "tools/sweep/store_columns.hpp"
#include "tools/sweep/stored_text.hpp"

namespace bursar { inline namespace tools {
namespace {

/// Beyond every scalar, and what every format can still show with its digits.
constexpr double max_scalar = 1e15;

/// Of a row with that status; it has a message unless there is a result.
void read_message(const StoredRow& stored, int status_at, SweepRow& row) {
    const std::string status = stored.text(status_at);
    const int message_at = status_at + 1;
    std::string message = stored.text(message_at);
    if (status != "ok" && status != "failed" && status != "pruned")
        stored.fail(status_at);
    if (message.empty() != (status == "ok"))
        stored.fail(message_at);
    (status == "pruned" ? row.pruned : row.failure) = std::move(message);
}

} // namespace

std::string StoredRow::text(int column) const {
    if (ask_.type(column) != Database::Type::text)
        fail(column);
    return valid_utf8(ask_.text(column));
}

std::uint64_t StoredRow::hash(int column) const {
    const std::string written = text(column);
    const std::uint64_t hash = hash_from(written);
    if (hex_of(hash) != written)
        fail(column);
    return hash;
}

std::int64_t StoredRow::integer(int column, std::int64_t least, std::int64_t most) const {
    const std::int64_t number = ask_.integer(column);
    if (ask_.type(column) != Database::Type::integer || number < least || number > most)
        fail(column);
    return number;
}

std::optional<double> StoredRow::number(int column) const {
    const Database::Type type = ask_.type(column);
    if (type == Database::Type::null)
        return std::nullopt;
    const double number = ask_.number(column).value_or(0);
    const bool is_number = type == Database::Type::number || type == Database::Type::integer;
    if (!is_number || !(std::abs(number) <= max_scalar))
        fail(column);
    return number;
}

void StoredRow::fail(int column) const {
    constexpr std::size_t max_shown = 60;
    const std::string value = ask_.type(column) == Database::Type::null
                                  ? "null"
                                  : terminal_text(ask_.text(column).substr(0, max_shown));
    throw BadResult{fmt::format("{}: is damaged: {} in its table {} is {}; sweep again",
                                terminal_text(file_),
                                terminal_text(ask_.name(column)),
                                table_,
                                value.empty() ? "empty" : value)};
}

void read_run(const StoredRow& stored, SweepRow& row) {
    int column = 2;
    read_message(stored, column, row);
    column += 2;
    row.fingerprint = stored.hash(column++);
    row.end = stored.span(column++);
    row.wall_s = stored.number(column).value_or(-1);
    if (row.wall_s < 0)
        stored.fail(column);
    ++column;
    row.ends_by_itself = stored.integer(column++, 0, 1) != 0;
    if (const std::int64_t to = stored.integer(column++, -1, saved::max_ms); to >= 0)
        row.measured_to = Duration{to};
    if (auto kept = kept_of(stored.text(column)))
        row.kept = std::move(*kept);
    else
        stored.fail(column);
    row.warnings = stored.text(++column);
    ++column;
    const bool has_result = row.has_result();
    if (has_result)
        row.scalars.reserve(scalar_table().size());
    for (std::size_t i = 0; i < scalar_table().size(); ++i, ++column) {
        const std::optional<double> value = stored.number(column);
        if (has_result)
            row.scalars.push_back(value);
        else if (value)
            stored.fail(column);
    }
}

}} // namespace bursar::tools
