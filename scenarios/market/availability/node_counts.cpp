#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/units/units.hpp"

#include "scenarios/calendar/series_time.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/market/availability/availability_format.hpp"
#include "scenarios/reader/decimal.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/text/csv_reader.hpp"
#include "scenarios/traces/text/numbers.hpp"
#include "scenarios/traces/text/timestamps.hpp"

/// Rows of a time and a number of nodes: `time,count` with or without a header, the time a number
/// or a date; or the date in a separate field, `2021-12-11, 11:11:30, 55`.
namespace bursar { inline namespace scenarios {
namespace {

/// A row of a file of counts.
struct CountRow {
    std::int64_t time_ms{};
    std::int32_t nodes{};
    std::uint64_t line{};
    std::uint64_t time_column{};
    std::uint64_t count_column{};
};

class CountNotes {
  public:
    CountNotes(std::vector<CountRow>& rows, const std::string& file, std::vector<Finding>& notes)
        : rows_{rows}, file_{file}, notes_{notes} {}

    /// Sorts by time, stable.
    void order() {
        std::vector<std::uint64_t> back;
        Place first;
        for (std::size_t i = 1; i < rows_.size(); ++i)
            if (rows_[i].time_ms < rows_[i - 1].time_ms) {
                if (back.empty())
                    first = time_at(rows_[i]);
                back.push_back(rows_[i].line);
            }
        if (back.empty())
            return;
        std::ranges::stable_sort(rows_, {}, &CountRow::time_ms);
        note(first,
             "times go back at " + lines_in_words(back),
             "rows are taken in the order of their times");
    }

    /// Two counts at one time are the two ends of a step; more are noted.
    void note_repeats() const {
        std::vector<std::uint64_t> lines;
        Place first;
        for (std::size_t i = 2; i < rows_.size(); ++i)
            if (rows_[i].time_ms == rows_[i - 2].time_ms) {
                if (lines.empty())
                    first = time_at(rows_[i]);
                lines.push_back(rows_[i].line);
            }
        if (!lines.empty())
            note(first,
                 "a third count for one time at " + lines_in_words(lines),
                 "the last one of a time holds");
    }

    /// Where rows come at regular times, a pause far longer than the others is a gap.
    void note_gap() const {
        std::vector<std::int64_t> pauses;
        std::size_t longest = 1;
        for (std::size_t i = 1; i < rows_.size(); ++i) {
            const auto pause_at = [&](std::size_t k) {
                return rows_[k].time_ms - rows_[k - 1].time_ms;
            };
            pauses.push_back(pause_at(i));
            if (pause_at(i) > pause_at(longest))
                longest = i;
        }
        if (pauses.size() < 10)
            return;
        const std::int64_t pause = rows_[longest].time_ms - rows_[longest - 1].time_ms;
        std::ranges::sort(pauses);
        if (pause / 10 < std::max<std::int64_t>(1, pauses[pauses.size() * 9 / 10]))
            return;
        note(time_at(rows_[longest]),
             fmt::format("no row for {:.1f} h before it",
                         static_cast<double>(pause) / static_cast<double>(hour.count())),
             "the count before holds meanwhile");
    }

    /// One count ten times its two neighbours.
    void note_outliers() const {
        std::vector<std::uint64_t> lines;
        Place first;
        for (std::size_t i = 1; i + 1 < rows_.size(); ++i) {
            const std::int64_t beside = std::max(rows_[i - 1].nodes, rows_[i + 1].nodes);
            if (beside <= 0 || rows_[i].nodes < 10 * beside)
                continue;
            if (lines.empty())
                first = {file_, rows_[i].line, rows_[i].count_column};
            lines.push_back(rows_[i].line);
        }
        if (!lines.empty())
            note(first,
                 "a count ten times its neighbours at " + lines_in_words(lines),
                 "it is kept");
    }

  private:
    [[nodiscard]] Place time_at(const CountRow& row) const {
        return {file_, row.line, row.time_column};
    }
    void note(Place place, std::string problem, std::string why) const {
        notes_.push_back({std::move(place), "", std::move(problem), std::move(why), ""});
    }

    std::vector<CountRow>& rows_;
    const std::string& file_;
    std::vector<Finding>& notes_;
};

/// Sorts the rows by time, and notes odd ones: wrong order, a third count at one time, a gap, a
/// count ten times its neighbours. All are kept.
void put_in_order(std::vector<CountRow>& rows,
                  const std::string& file,
                  std::vector<Finding>& notes) {
    CountNotes odd{rows, file, notes};
    odd.order();
    odd.note_repeats();
    odd.note_gap();
    odd.note_outliers();
}

struct TimeColumn {
    std::string_view name;
    Duration unit;
};

/// Headers with the unit of bare numbers.
constexpr std::array time_columns{TimeColumn{"time_ms", millisecond},
                                  TimeColumn{"time_s", second},
                                  TimeColumn{"time_min", minute},
                                  TimeColumn{"time_h", hour}};

bool begins_with_digit(std::string_view text) {
    return !text.empty() && digit_of(text.front()) < 10;
}

/// Reads rows of times and counts.
class CountReader {
  public:
    explicit CountReader(const AvailabilityOptions& options)
        : options_{options}, unit_{options.unit} {}

    /// A first row without numbers names the columns, and may name the unit of times.
    void header(const TextRow& row) {
        for (const TimeColumn& column : time_columns)
            if (trimmed(row.fields[0]) == column.name && !unit_)
                unit_ = column.unit;
    }

    void add(const TextRow& row) {
        if (!row.problem.empty())
            fail(row.problem_place, "", mistake(std::string{row.problem}));
        if (row.fields.size() != 2 && row.fields.size() != 3)
            fail(row.place(0), "", mistake("not two or three fields", "expected time and count"));
        rows_.push_back({time_of(row),
                         nodes_in(row),
                         row.line,
                         row.place(0).column,
                         row.place(row.fields.size() - 1).column});
    }

    NodeCounts counts() {
        NodeCounts out;
        out.dated = dated_;
        note_times(out);
        put_in_order(rows_, options_.file, out.notes);
        for (const CountRow& row : rows_)
            out.steps.push_back({row.time_ms, row.nodes});
        out.end_ms = rows_.empty() ? 0 : rows_.back().time_ms;
        return out;
    }

  private:
    [[noreturn]] void fail(FieldPlace place, std::string path, Finding finding) const {
        fail_input({options_.file, place.line, place.column}, std::move(path), std::move(finding));
    }

    std::int64_t time_of(const TextRow& row) {
        const std::string_view text = trimmed(row.fields[0]);
        const bool has_date = row.fields.size() == 3;
        const auto number = has_date ? std::optional<Decimal>{} : parse_decimal(text);
        const auto since_1970 = number ? instant_of(*number, text) : std::nullopt;
        const bool is_date = !number || since_1970;
        if (rows_.empty())
            dated_ = is_date;
        else if (dated_ != is_date)
            fail(row.place(0),
                 "time",
                 mistake(in_quotes(text) +
                         (dated_       ? " is no date, as others are"
                          : since_1970 ? " is a time since 1970, and others are since the begin"
                                       : " is no number, as others are")));
        if (since_1970) {
            if (!first_since_1970_)
                first_since_1970_ = row.place(0);
            return *since_1970;
        }
        if (number) {
            if (const auto ms = number->times(unit_.value_or(second).count()))
                return *ms;
            fail(row.place(0), "time", mistake(in_quotes(text) + " is too large"));
        }
        const std::string stamp =
            has_date ? fmt::format("{} {}", text, trimmed(row.fields[1])) : std::string{text};
        if (const auto ms = parse_timestamp(stamp, options_.time_zone_ms)) {
            if (!has_zone(stamp) && options_.time_zone_ms == 0 && !first_without_zone_)
                first_without_zone_ = row.place(0);
            return *ms;
        }
        fail(row.place(0),
             "time",
             mistake(in_quotes(stamp) +
                     " is neither a number of zero or above nor a date and time"));
    }

    /// The instant of a number as large as times since 1970, in the stated unit or in either.
    [[nodiscard]] std::optional<std::int64_t> instant_of(const Decimal& number,
                                                         std::string_view text) const {
        if (!unit_)
            return epoch_time(text);
        const auto ms = number.times(unit_->count());
        return ms && is_epoch_time(*ms) ? ms : std::nullopt;
    }

    [[nodiscard]] std::int32_t nodes_in(const TextRow& row) const {
        const std::size_t field = row.fields.size() - 1;
        const std::string_view text = trimmed(row.fields[field]);
        const auto count = node_count(text);
        if (!count)
            fail(row.place(field),
                 "count",
                 mistake(in_quotes(text) + " is not a number of nodes", "0 to 100000"));
        return *count;
    }

    void note_times(NodeCounts& out) const {
        if (first_since_1970_)
            out.notes.push_back(epoch_time_note(
                {options_.file, first_since_1970_->line, first_since_1970_->column}));
        if (first_without_zone_)
            out.notes.push_back(no_zone_note(
                {options_.file, first_without_zone_->line, first_without_zone_->column}));
        if (!dated_ && !unit_)
            out.notes.push_back(
                {{options_.file},
                 "",
                 "times are taken as seconds",
                 "their unit is not given: a header of time_ms, time_s, time_min or "
                 "time_h, or `unit`",
                 ""});
    }

    const AvailabilityOptions& options_;
    std::optional<Duration> unit_;
    bool dated_{};
    std::optional<FieldPlace> first_since_1970_;
    std::optional<FieldPlace> first_without_zone_;
    std::vector<CountRow> rows_;
};

NodeCounts read_counts(std::string_view text, const AvailabilityOptions& options) {
    MemorySource bytes{text};
    CsvReader rows{bytes, options.file};
    CountReader reader{options};
    const TextRow* row = rows.next();
    if (row != nullptr && !begins_with_digit(trimmed(row->fields[0])) &&
        !trimmed(row->fields[0]).starts_with('-')) {
        reader.header(*row);
        row = rows.next();
    }
    for (; row != nullptr; row = rows.next())
        reader.add(*row);
    return reader.counts();
}

/// Whether the file begins with a row of a number or a date and a comma, or with a header whose
/// last column is a count. Other tables hold prices.
bool recognises_counts(std::string_view text) {
    std::string_view line = text.substr(0, text.find('\n'));
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    const std::size_t comma = line.rfind(',');
    if (comma == std::string_view::npos)
        return false;
    constexpr std::array<std::string_view, 4> counts{"count", "nodes", "instances", "available"};
    return begins_with_digit(line) ||
           (line.starts_with("time") &&
            std::ranges::find(counts, trimmed(line.substr(comma + 1))) != counts.end());
}

} // namespace

const AvailabilityFormat node_counts{"node-counts", "time_s,count", recognises_counts, read_counts};

}} // namespace bursar::scenarios
