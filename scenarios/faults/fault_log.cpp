#include "scenarios/faults/fault_log.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "scenarios/calendar/series_time.hpp"
#include "scenarios/errors/alike_findings.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/reader/decimal.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/text/csv_header.hpp"
#include "scenarios/traces/text/csv_reader.hpp"
#include "scenarios/traces/text/json_values.hpp"
#include "scenarios/traces/text/numbers.hpp"
#include "scenarios/traces/text/timestamps.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Times beyond 278 years are refused.
constexpr std::int64_t max_log_ms = std::int64_t{1} << 43;

/// One row, or one pair of events.
struct FaultRow {
    std::string node;
    std::string kind;
    std::int64_t begin_ms{};
    std::optional<std::int64_t> end_ms; ///< absent: still open
    FieldPlace place;
};

/// Collects the rows of either format.
class FaultRows {
  public:
    explicit FaultRows(FaultLog& log) : log_{log} {}

    void add(FaultRow row) {
        if (row.end_ms && *row.end_ms < row.begin_ms)
            return wrong(row.place, "end", mistake("a fault ends before it starts"));
        rows_.push_back(std::move(row));
    }
    void wrong(FieldPlace place, std::string column, Finding finding) {
        const std::string cause = column + ": " + finding.problem.substr(0, 24) + finding.why;
        finding.place = {log_.path, place.line, place.column};
        finding.path = std::move(column);
        mistakes_.add(std::move(finding), cause);
    }

    /// is_dated: times are since 1970.
    void finish(bool is_dated) {
        if (!mistakes_.empty())
            throw ScenarioError{mistakes_.shown()};
        if (rows_.empty())
            fail_input(log_.path, mistake("has no fault", "nothing to replay or to fit"));
        std::ranges::stable_sort(
            rows_, {}, [](const FaultRow& row) { return std::tie(row.begin_ms, row.node); });
        const std::int64_t zero = is_dated ? rows_.front().begin_ms : 0;
        if (is_dated)
            log_.begin_utc_ms = zero;
        for (const FaultRow& row : rows_)
            log_.length_ms = std::max(log_.length_ms, row.end_ms.value_or(row.begin_ms) - zero);
        for (const FaultRow& row : rows_)
            merge(row, zero);
        if (log_.num_open > 0)
            log_.notes.push_back(mistake(fmt::format("{} of its faults have no end", log_.num_open),
                                         "they last to the end of the log"));
    }

  private:
    void merge(const FaultRow& row, std::int64_t zero) {
        const std::uint32_t node = number_of(nodes_, log_.nodes, row.node);
        log_.num_open += row.end_ms ? 0 : 1;
        const LoggedFault fault{node,
                                number_of(kinds_, log_.kinds, row.kind),
                                row.begin_ms - zero,
                                row.end_ms ? *row.end_ms - zero : log_.length_ms};
        last_.resize(log_.nodes.size(), none);
        if (last_[node] != none && fault.begin_ms <= log_.faults[last_[node]].end_ms) {
            LoggedFault& before = log_.faults[last_[node]];
            before.end_ms = std::max(before.end_ms, fault.end_ms);
            ++log_.num_merged;
            return;
        }
        last_[node] = log_.faults.size();
        log_.faults.push_back(fault);
    }
    static std::uint32_t number_of(std::map<std::string, std::uint32_t>& numbers,
                                   std::vector<std::string>& names,
                                   const std::string& name) {
        const auto [found, is_new] =
            numbers.emplace(name, static_cast<std::uint32_t>(names.size()));
        if (is_new)
            names.push_back(name);
        return found->second;
    }

    static constexpr std::size_t none = ~std::size_t{0};
    FaultLog& log_;
    std::vector<FaultRow> rows_;
    AlikeFindings mistakes_;
    std::map<std::string, std::uint32_t> nodes_;
    std::map<std::string, std::uint32_t> kinds_;
    std::vector<std::size_t> last_; ///< by node: its last fault so far
};

/// The table of nodes, starts and ends.
class FaultTable {
  public:
    FaultTable(std::string_view text, FaultLog& log)
        : log_{log}, bytes_{text}, csv_{bytes_, log.path}, header_{csv_}, rows_{log} {
        node_ = header_.require("node");
        start_ = header_.require("start");
        end_ = header_.require("end");
        kind_ = header_.find("kind");
    }

    void read() {
        while (const TextRow* row = csv_.next())
            add(*row);
        rows_.finish(is_dated_.value_or(false));
        if (without_zone_)
            log_.notes.push_back(
                no_zone_note({log_.path, without_zone_->line, without_zone_->column}));
        if (epoch_)
            log_.notes.push_back(epoch_time_note({log_.path, epoch_->line, epoch_->column}));
    }

  private:
    void add(const TextRow& row) {
        if (!row.problem.empty())
            return rows_.wrong(row.problem_place, {}, mistake(std::string{row.problem}));
        if (row.fields.size() != header_.names().size())
            return rows_.wrong(row.place(row.fields.size()),
                               {},
                               mistake("the row has another number of fields than the header"));
        const std::string_view node = trimmed(row.fields[node_]);
        if (node.empty())
            return rows_.wrong(row.place(node_), "node", mistake("the fault has no node"));
        const auto begin = instant(row, start_, "start");
        const bool is_open = trimmed(row.fields[end_]).empty();
        const auto end = is_open ? std::nullopt : instant(row, end_, "end");
        if (!begin || (!end && !is_open))
            return;
        rows_.add({std::string{node},
                   kind_ ? std::string{trimmed(row.fields[*kind_])} : std::string{},
                   *begin,
                   end,
                   row.place(start_)});
    }

    std::optional<std::int64_t> instant(const TextRow& row, std::size_t field, const char* name) {
        const std::string_view text = trimmed(row.fields[field]);
        if (const auto at = epoch_time(text)) {
            if (!epoch_)
                epoch_ = row.place(field);
            return of_kind(at, true, row, field, name);
        }
        if (const auto seconds = parse_seconds(text))
            return of_kind(seconds, false, row, field, name);
        const auto date = parse_date_or_timestamp(text, 0);
        if (!date)
            rows_.wrong(row.place(field),
                        name,
                        mistake(in_quotes(text) + " is not a time",
                                "expected a date such as 2024-03-30T08:00Z, or seconds"));
        else if (!has_zone(text) && !without_zone_)
            without_zone_ = row.place(field);
        return of_kind(date, true, row, field, name);
    }
    /// A log has either dates or seconds.
    std::optional<std::int64_t> of_kind(std::optional<std::int64_t> at,
                                        bool dated,
                                        const TextRow& row,
                                        std::size_t field,
                                        const char* name) {
        if (!at)
            return at;
        if (!is_dated_)
            is_dated_ = dated;
        if (*is_dated_ == dated && *at <= max_log_ms)
            return at;
        rows_.wrong(
            row.place(field),
            name,
            mistake(*is_dated_ == dated ? "is too far away" : "dates and seconds in one file"));
        return std::nullopt;
    }

    FaultLog& log_;
    MemorySource bytes_;
    CsvReader csv_;
    CsvHeader header_;
    FaultRows rows_;
    std::size_t node_{};
    std::size_t start_{};
    std::size_t end_{};
    std::optional<std::size_t> kind_;
    std::optional<bool> is_dated_;
    std::optional<FieldPlace> without_zone_;
    std::optional<FieldPlace> epoch_;
};

/// The list of events of InfiniteHBD. A start is open until the next end of its node and type.
class FaultEvents final : public JsonValues {
  public:
    explicit FaultEvents(FaultLog& log) : rows_{log} {}

    void
    value(std::span<const std::string> path, std::string_view text, FieldPlace place) override {
        if (path.size() < 2 || path[0] != "[]")
            return;
        event_.place = event_.place.line == 0 ? place : event_.place;
        const std::string& key = path[1];
        if (key == "node_id")
            event_.node = text;
        else if (key == "event_type")
            event_.type = text;
        else if (key == "event_time")
            event_.time = text;
        else if (key == "fault_type" && path.size() == 3) {
            event_.fault += fmt::format("{}={};", path[2], text);
            if (path[2] == "Level" || path[2] == "Class")
                event_.kind += fmt::format("{}{}", event_.kind.empty() ? "" : ", ", text);
        }
    }
    void end_of_object(std::span<const std::string> path) override {
        if (path.size() != 1)
            return;
        take(std::exchange(event_, {}));
    }
    void finish() {
        for (auto& [key, starts] : open_)
            for (FaultRow& start : starts)
                rows_.add(std::move(start));
        rows_.finish(false);
    }

  private:
    struct Event {
        std::string node;
        std::string type;
        std::string time;
        std::string fault;
        std::string kind;
        FieldPlace place;
    };

    void take(const Event& event) {
        constexpr std::int64_t ms_per_day = 86'400'000;
        const auto days = parse_decimal(event.time);
        const auto at = days ? days->times(ms_per_day) : std::nullopt;
        if (event.node.empty())
            return rows_.wrong(event.place, "node_id", mistake("the event has no node"));
        if (!at || *at > max_log_ms)
            return rows_.wrong(event.place,
                               "event_time",
                               mistake(in_quotes(event.time) + " is no number of days"));
        std::vector<FaultRow>& starts = open_[{event.node, event.fault}];
        if (event.type == "fault_start") {
            starts.push_back({event.node, event.kind, *at, {}, event.place});
        } else if (event.type != "fault_end") {
            rows_.wrong(event.place,
                        "event_type",
                        mistake(in_quotes(event.type) + " is neither fault_start nor fault_end"));
        } else if (starts.empty()) {
            rows_.wrong(event.place, "event_type", mistake("a fault ends that did not start"));
        } else {
            starts.front().end_ms = at;
            rows_.add(std::move(starts.front()));
            starts.erase(starts.begin());
        }
    }

    FaultRows rows_;
    Event event_;
    std::map<std::pair<std::string, std::string>, std::vector<FaultRow>> open_;
};

} // namespace

std::string FaultLog::name() const {
    return std::filesystem::path{path}.filename().string();
}

FaultLog read_fault_log(const std::string& path) {
    FileSource stored{path};
    const std::string packed = whole_text(stored, path);
    const auto plain = decompressed(path, std::make_unique<MemorySource>(packed));
    FaultLog log = read_fault_log_text(whole_text(*plain, path), path);
    log.hash = XXH3_64bits(packed.data(), packed.size());
    return log;
}

FaultLog read_fault_log_text(std::string_view text, const std::string& path) {
    FaultLog log;
    log.path = path;
    log.hash = XXH3_64bits(text.data(), text.size());
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && text[first] == '[') {
        FaultEvents events{log};
        read_json_values(text, path, events);
        events.finish();
    } else {
        FaultTable{text, log}.read();
    }
    return log;
}

}} // namespace bursar::scenarios
