#include "scenarios/market/availability/count_rows.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "models/units/units.hpp"

#include "scenarios/market/availability/availability_format.hpp"

namespace bursar { inline namespace scenarios {
namespace {

class CountNotes {
  public:
    CountNotes(std::vector<CountRow>& rows, const std::string& file, std::vector<Finding>& notes)
        : rows_{rows}, file_{file}, notes_{notes} {}

    /// By time; of one time as they were.
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

    /// A time with two counts is how a step is drawn; with more it is a slip.
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

    /// One count ten times those on either side.
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

} // namespace

void put_in_order(std::vector<CountRow>& rows,
                  const std::string& file,
                  std::vector<Finding>& notes) {
    CountNotes odd{rows, file, notes};
    odd.order();
    odd.note_repeats();
    odd.note_gap();
    odd.note_outliers();
}

}} // namespace bursar::scenarios
