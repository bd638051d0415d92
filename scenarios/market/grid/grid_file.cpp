#include "scenarios/market/grid/grid_file.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "scenarios/calendar/series_time.hpp"
#include "scenarios/errors/alike_findings.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/decimal.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/text/csv_header.hpp"
#include "scenarios/traces/text/csv_reader.hpp"
#include "scenarios/traces/text/numbers.hpp"
#include "scenarios/traces/text/timestamps.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The content of one row.
struct GridRow {
    std::int64_t at_ms{};
    std::int64_t mg_per_kwh{};
    FieldPlace place;
};

class GridReader {
  public:
    GridReader(ByteSource& bytes, GridFile& file)
        : file_{file}, csv_{bytes, file.path}, header_{csv_} {
        is_yearly_ = header_.find("zone_key") && header_.find("year");
        time_ = header_.require(is_yearly_ ? "year" : "time");
        value_ = header_.require(is_yearly_ ? "carbon_intensity_avg" : "g_per_kwh");
        zone_ = header_.find(is_yearly_ ? "zone_key" : "zone");
    }

    void read() {
        while (const TextRow* row = csv_.next())
            add(*row);
        throw_if_wrong();
        choose_zone();
        order();
    }

  private:
    void add(const TextRow& row) {
        if (!row.problem.empty())
            return wrong(row.problem_place, {}, mistake(std::string{row.problem}));
        if (row.fields.size() != header_.names().size())
            return wrong(row.place(row.fields.size()),
                         {},
                         mistake("the row has another number of fields than the header"));
        const std::string zone{zone_ ? row.fields[*zone_] : std::string_view{}};
        zones_.insert(zone);
        if (zone_ && !file_.zone.empty() && zone != file_.zone)
            return;
        const auto at = instant(row);
        const auto value = intensity(row);
        if (at && value)
            rows_.push_back({*at, *value, row.place(time_)});
    }

    std::optional<std::int64_t> instant(const TextRow& row) {
        const std::string_view text = trimmed(row.fields[time_]);
        if (is_yearly_) {
            const auto year = parse_date_or_timestamp(fmt::format("{}-01-01", text), 0);
            if (!year)
                wrong(row.place(time_), "year", mistake(in_quotes(text) + " is no year"));
            return of_kind(year, true, row);
        }
        if (const auto instant = epoch_time(text)) {
            if (!epoch_time_)
                epoch_time_ = row.place(time_);
            return of_kind(instant, true, row);
        }
        if (const auto seconds = parse_seconds(text))
            return of_kind(seconds, false, row);
        const auto date = parse_date_or_timestamp(text, 0);
        if (!date)
            wrong(row.place(time_),
                  "time",
                  mistake(in_quotes(text) + " is not a time",
                          "expected a date such as 2020-02-20T03:00Z, or seconds"));
        else if (!has_zone(text) && !without_zone_)
            without_zone_ = row.place(time_);
        return of_kind(date, true, row);
    }
    /// A file has either dates or seconds.
    std::optional<std::int64_t>
    of_kind(std::optional<std::int64_t> at, bool is_dated, const TextRow& row) {
        if (!at)
            return at;
        if (*at > max_series_time.count() || *at < -max_series_time.count()) {
            wrong(row.place(time_), "time", mistake("too far away", "at most 278 years"));
            return std::nullopt;
        }
        if (rows_.empty())
            file_.is_dated = is_dated;
        if (file_.is_dated == is_dated)
            return at;
        wrong(row.place(time_), "time", mistake("dates and seconds in one file"));
        return std::nullopt;
    }

    std::optional<std::int64_t> intensity(const TextRow& row) {
        const std::string_view text = trimmed(row.fields[value_]);
        const auto number = parse_decimal(text);
        const auto milligrams = number ? number->times(1000) : std::nullopt;
        if (milligrams && *milligrams <= max_grid_intensity.count())
            return milligrams;
        wrong(row.place(value_),
              header_.names()[value_],
              milligrams
                  ? mistake(in_quotes(text) + " g per kWh", "more than any grid: at most 5000")
                  : mistake(in_quotes(text) + " is no carbon intensity",
                            "expected grams per kWh such as 57.3; leave out what is not "
                            "known"));
        return std::nullopt;
    }

    void wrong(FieldPlace place, std::string_view column, Finding finding) {
        const std::string cause = fmt::format("{}: {}", column, finding.why);
        finding.place = {file_.path, place.line, place.column};
        finding.path = column;
        mistakes_.add(std::move(finding), cause);
    }
    void note(FieldPlace place, Finding finding) {
        finding.place = {file_.path, place.line, place.column};
        file_.notes.push_back(std::move(finding));
    }
    void throw_if_wrong() const {
        if (!mistakes_.empty())
            throw ScenarioError{mistakes_.shown()};
    }

    void choose_zone() const {
        const std::vector<std::string> known{zones_.begin(), zones_.end()};
        if (file_.zone.empty() && zones_.size() > 1)
            fail_input(file_.path,
                       mistake(fmt::format("it has {} zones", zones_.size()),
                               "the scenario does not choose one",
                               "give zone"));
        if (!file_.zone.empty() && !zone_)
            fail_input(file_.path, mistake("it has no zones", {}, "leave `zone` out"));
        if (!file_.zone.empty() && !zones_.contains(file_.zone))
            fail_input(file_.path,
                       mistake(fmt::format("it has no zone {}", in_quotes(file_.zone)),
                               {},
                               suggestion(file_.zone, known)));
        if (rows_.empty())
            fail_input(file_.path, mistake("no row has an intensity"));
    }

    void order() {
        const auto earlier = [](const GridRow& a, const GridRow& b) { return a.at_ms < b.at_ms; };
        if (const auto late = std::ranges::is_sorted_until(rows_, earlier); late != rows_.end()) {
            note(late->place, mistake("rows are not in order of time", {}, "they were sorted"));
            std::ranges::stable_sort(rows_, earlier);
        }
        std::vector<GridRow> kept;
        for (const GridRow& row : rows_) {
            if (kept.empty() || kept.back().at_ms != row.at_ms) {
                kept.push_back(row);
                continue;
            }
            if (kept.back().mg_per_kwh != row.mg_per_kwh)
                wrong(row.place, "time", mistake("two intensities for one instant"));
        }
        throw_if_wrong();
        note_odd_rows(kept);
        for (const GridRow& row : kept) {
            file_.steps.start_ms.push_back(row.at_ms);
            file_.steps.rate.push_back(row.mg_per_kwh);
        }
        const std::size_t num = kept.size();
        const std::int64_t last = kept.back().at_ms;
        file_.end_ms = num == 1 ? last : last + (last - kept[num - 2].at_ms);
    }

    /// Notes gaps, and values that look like another unit.
    void note_odd_rows(const std::vector<GridRow>& rows) {
        if (epoch_time_)
            file_.notes.push_back(
                epoch_time_note({file_.path, epoch_time_->line, epoch_time_->column}));
        if (without_zone_ && !is_yearly_)
            file_.notes.push_back(
                no_zone_note({file_.path, without_zone_->line, without_zone_->column}));
        const auto largest = std::ranges::max_element(rows, {}, &GridRow::mg_per_kwh);
        if (largest->mg_per_kwh < 1000)
            note(largest->place,
                 mistake("no value reaches 1 g per kWh", "no grid is that clean: tons or kg?"));
        std::vector<std::int64_t> steps;
        for (std::size_t i = 1; i < rows.size(); ++i)
            steps.push_back(rows[i].at_ms - rows[i - 1].at_ms);
        if (steps.empty())
            return;
        std::vector<std::int64_t> sorted = steps;
        const auto middle = sorted.begin() + std::ssize(sorted) / 2;
        std::ranges::nth_element(sorted, middle);
        const auto gap =
            std::ranges::find_if(steps, [&](std::int64_t step) { return step > 2 * *middle; });
        if (gap != steps.end())
            note(rows[static_cast<std::size_t>(gap - steps.begin())].place,
                 mistake(fmt::format("nothing for {:.4g} h",
                                     static_cast<double>(*gap) / static_cast<double>(hour.count())),
                         "rows are otherwise closer together",
                         "this row's value is taken until the next one"));
    }

    GridFile& file_;
    CsvReader csv_;
    CsvHeader header_;
    bool is_yearly_{};
    std::size_t time_{};
    std::size_t value_{};
    std::optional<std::size_t> zone_;
    std::set<std::string> zones_;
    std::vector<GridRow> rows_;
    std::optional<FieldPlace> without_zone_;
    std::optional<FieldPlace> epoch_time_;
    AlikeFindings mistakes_;
};

} // namespace

std::string GridFile::name() const {
    const std::string file = std::filesystem::path{path}.filename().string();
    return zone.empty() ? file : fmt::format("{} of {}", zone, file);
}

std::string GridFile::instant(std::int64_t at_ms) const {
    if (is_dated)
        return format_timestamp(at_ms) + "Z";
    return fmt::format("hour {:.6g}",
                       static_cast<double>(at_ms) / static_cast<double>(hour.count()));
}

GridFile read_grid(const std::string& path, const std::string& zone) {
    FileSource stored{path};
    return read_grid(stored, path, zone);
}

GridFile read_grid(ByteSource& stored, const std::string& path, const std::string& zone) {
    const std::string packed = whole_text(stored, path);
    if (packed.empty())
        fail_input(path, mistake("the file is empty"));
    const auto unpacked = decompressed(path, std::make_unique<MemorySource>(packed));
    const std::string text = whole_text(*unpacked, path);
    GridFile file;
    file.path = path;
    file.zone = zone;
    file.hash = XXH3_64bits(packed.data(), packed.size());
    MemorySource bytes{text};
    GridReader{bytes, file}.read();
    return file;
}

}} // namespace bursar::scenarios
