#include "scenarios/market/prices/price_history.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/traces/text/timestamps.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Consecutive prices that look like a mistake.
struct OddPrices {
    std::size_t first{}; ///< of the points
    std::size_t num{};   ///< 1 to 3
    bool is_high{};      ///< ten times their neighbours or more; else a tenth or less
};

/// A price with the rows that repeat it.
struct RepeatedPrice {
    PricePoint point; ///< the first of them; with a price
    std::size_t num_rows{1};
};

constexpr std::int64_t outlier_ratio = 10;
constexpr std::size_t max_odd = 3;          ///< a longer stretch is taken as the market's price
constexpr std::size_t rows_beside_each = 3; ///< at an end, which has one neighbour

using Prices = std::span<const RepeatedPrice>;

std::size_t num_rows(Prices prices) {
    std::size_t num = 0;
    for (const RepeatedPrice& price : prices)
        num += price.num_rows;
    return num;
}

std::int64_t lowest(Prices prices) {
    return *std::ranges::min_element(prices, {}, [](const RepeatedPrice& p) {
                return *p.point.nano_usd;
            })->point.nano_usd;
}

std::int64_t highest(Prices prices) {
    return *std::ranges::max_element(prices, {}, [](const RepeatedPrice& p) {
                return *p.point.nano_usd;
            })->point.nano_usd;
}

/// Whether `some` are odd between the usual prices `before` and `after`.
bool are_odd(Prices before, Prices some, Prices after) {
    const bool at_end = before.empty() || after.empty();
    if (at_end && num_rows(before) + num_rows(after) < rows_beside_each * num_rows(some))
        return false;
    // The first prices are compared with several: the next one may be odd as well.
    const Prices next = after.first(std::min(after.size(), before.empty() ? max_odd + 1 : 1));
    std::vector<RepeatedPrice> beside{next.begin(), next.end()};
    if (!before.empty())
        beside.push_back(before.back());
    return lowest(some) >= outlier_ratio * highest(beside) ||
           highest(some) * outlier_ratio <= lowest(beside);
}

/// The stretches of up to three prices that are all ten times, or a tenth of, both the last usual
/// price before them and the first one after. At an end of the series the one neighbour must have
/// three times as many rows. In order. prices: consecutive ones differ.
std::vector<OddPrices> odd_prices(const std::vector<RepeatedPrice>& prices) {
    const Prices all{prices};
    std::vector<OddPrices> odd;
    std::vector<RepeatedPrice> usual;
    for (std::size_t i = 0; i < prices.size();) {
        const std::size_t left = prices.size() - i;
        std::size_t num = 1;
        while (num <= std::min(max_odd, left) &&
               !are_odd(usual, all.subspan(i, num), all.subspan(i + num)))
            ++num;
        if (num > std::min(max_odd, left)) {
            usual.push_back(prices[i++]);
            continue;
        }
        const std::int64_t beside =
            *(usual.empty() ? prices[i + num] : usual.back()).point.nano_usd;
        odd.push_back({i, num, *prices[i].point.nano_usd > beside});
        i += num;
    }
    return odd;
}

constexpr std::int64_t gap_ratio = 10; ///< a gap is this many times the usual distance of rows
constexpr Duration min_gap = 2 * day;  ///< and longer than this
constexpr std::size_t min_rows_for_gaps = 10;

std::string instant_text(PriceTimes times, std::int64_t at_ms) {
    if (times == PriceTimes::dated)
        return format_timestamp(at_ms) + "Z";
    return fmt::format("{:.6g} h", static_cast<double>(at_ms) / static_cast<double>(hour.count()));
}

std::string usd(std::int64_t nano_usd) {
    return fmt::format("{:.6g}",
                       static_cast<double>(nano_usd) / static_cast<double>(nano_usd_per_usd));
}

std::string days_text(std::int64_t ms) {
    return fmt::format("{:.3g} d", static_cast<double>(ms) / static_cast<double>(day.count()));
}

/// Turns the rows of one offer into steps.
class Rows {
  public:
    Rows(const PriceFile& file, const OfferedPrices& offered, PriceHistory& history)
        : file_{file}, points_{offered.points}, history_{history} {}

    void sort() {
        const auto ascends = [](const PricePoint& a, const PricePoint& b) {
            return a.at_ms < b.at_ms;
        };
        const auto descends = [](const PricePoint& a, const PricePoint& b) {
            return a.at_ms > b.at_ms;
        };
        if (std::is_sorted(points_.begin(), points_.end(), ascends))
            return;
        const bool newest_first = std::is_sorted(points_.begin(), points_.end(), descends);
        const auto first = std::is_sorted_until(points_.begin(), points_.end(), ascends);
        const FieldPlace place = first->place;
        std::stable_sort(points_.begin(), points_.end(), ascends);
        if (!newest_first)
            note(place, "rows are not in order of time", "they were sorted");
    }

    /// Merges equal rows; two prices of one instant are a mistake.
    void merge_instants() {
        std::vector<PricePoint> merged;
        std::size_t num_repeats = 0;
        FieldPlace first_repeat;
        for (const PricePoint& point : points_) {
            if (merged.empty() || merged.back().at_ms != point.at_ms) {
                merged.push_back(point);
                continue;
            }
            if (merged.back().nano_usd != point.nano_usd)
                fail_input({file_.path, point.place.line, point.place.column},
                           {},
                           mistake(fmt::format("a second price of {} for {}",
                                               history_.offer.text(),
                                               file_.times == PriceTimes::none
                                                   ? "the same machine"
                                                   : instant_text(file_.times, point.at_ms)),
                                   fmt::format("line {} has another", merged.back().place.line)));
            if (num_repeats++ == 0)
                first_repeat = point.place;
        }
        if (num_repeats > 0)
            note(first_repeat,
                 fmt::format("{} {} been there before",
                             num_repeats,
                             num_repeats == 1 ? "row has" : "rows have"),
                 "they were left out");
        points_ = std::move(merged);
    }

    /// Drops rows without a price before the first price and after the last one.
    void drop_unpriced_ends() {
        const auto priced = [](const PricePoint& point) { return point.nano_usd.has_value(); };
        const auto first = std::ranges::find_if(points_, priced);
        if (first != points_.begin())
            note(points_.front().place,
                 fmt::format("no price of {} before {}",
                             history_.offer.text(),
                             instant_text(file_.times, first->at_ms)),
                 "the first price is taken for what is before");
        points_.erase(points_.begin(), first);
        history_.end_ms = file_.rows_are_changes ? file_.last_ms : points_.back().at_ms;
        if (!points_.back().nano_usd) {
            std::size_t last = points_.size();
            while (!points_[last - 1].nano_usd)
                --last;
            note(points_[last].place,
                 fmt::format("not on offer from {} on",
                             instant_text(file_.times, points_[last].at_ms)),
                 "the price before holds on");
        }
    }

    void note_gaps() {
        for (std::size_t i = 1; i < points_.size(); ++i) {
            if (points_[i].nano_usd || !points_[i - 1].nano_usd)
                continue;
            const auto back =
                std::find_if(points_.begin() + static_cast<std::ptrdiff_t>(i),
                             points_.end(),
                             [](const PricePoint& p) { return p.nano_usd.has_value(); });
            if (back != points_.end())
                note(points_[i].place,
                     fmt::format("a gap of {}: not on offer from {} on",
                                 days_text(back->at_ms - points_[i].at_ms),
                                 instant_text(file_.times, points_[i].at_ms)),
                     "the price before holds on");
        }
        std::erase_if(points_, [](const PricePoint& point) { return !point.nano_usd; });
        if (!file_.rows_are_changes && points_.size() >= min_rows_for_gaps)
            note_long_gaps();
    }

    void treat_outliers(Outliers outliers) {
        history_.num_rows = points_.size();
        const std::vector<RepeatedPrice> prices = without_repeats();
        points_.clear();
        std::size_t next = 0;
        const auto keep_to = [&](std::size_t end) {
            for (; next < end; ++next)
                points_.push_back(prices[next].point);
        };
        for (const OddPrices& odd : odd_prices(prices)) {
            keep_to(odd.first);
            note_odd(prices[odd.first].point, odd, outliers);
            if (outliers == Outliers::drop)
                next += odd.num;
        }
        keep_to(prices.size());
    }

    void make_steps() {
        PriceSeries& steps = history_.steps;
        for (const PricePoint& point : points_) {
            if (!steps.rate.empty() && steps.rate.back() == *point.nano_usd)
                continue;
            steps.start_ms.push_back(point.at_ms);
            steps.rate.push_back(*point.nano_usd);
        }
    }

  private:
    void note(FieldPlace place, std::string problem, std::string why) {
        Finding finding = mistake(std::move(problem), std::move(why));
        finding.place = {file_.path, place.line, place.column};
        history_.notes.push_back(std::move(finding));
    }

    void note_long_gaps() {
        std::vector<std::int64_t> distances;
        for (std::size_t i = 1; i < points_.size(); ++i)
            distances.push_back(points_[i].at_ms - points_[i - 1].at_ms);
        std::vector<std::int64_t> sorted = distances;
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
        std::nth_element(sorted.begin(), middle, sorted.end());
        const std::int64_t longest = std::max(gap_ratio * *middle, min_gap.count());
        for (std::size_t i = 0; i < distances.size(); ++i)
            if (distances[i] > longest)
                note(points_[i + 1].place,
                     fmt::format("a gap of {}: no row from {} on",
                                 days_text(distances[i]),
                                 instant_text(file_.times, points_[i].at_ms)),
                     fmt::format("rows are usually {} apart; the price before holds on",
                                 days_text(*middle)));
    }

    [[nodiscard]] std::vector<RepeatedPrice> without_repeats() const {
        std::vector<RepeatedPrice> prices;
        for (const PricePoint& point : points_) {
            if (!prices.empty() && prices.back().point.nano_usd == point.nano_usd)
                ++prices.back().num_rows;
            else
                prices.push_back({point});
        }
        return prices;
    }

    void note_odd(const PricePoint& first, const OddPrices& odd, Outliers outliers) {
        const bool one = odd.num == 1;
        const std::string price = fmt::format(
            "{} USD/h at {}", usd(*first.nano_usd), instant_text(file_.times, first.at_ms));
        note(first.place,
             fmt::format("{} {} {} neighbours or {}",
                         one ? price + " is"
                             : fmt::format("{} prices from {} on are", odd.num, price),
                         odd.is_high ? "ten times" : "a tenth of",
                         one ? "its" : "their",
                         odd.is_high ? "more" : "less"),
             fmt::format("{} {}",
                         one ? "it" : "they",
                         outliers == Outliers::keep ? (one ? "is kept" : "are kept")
                                                    : (one ? "was dropped" : "were dropped")));
    }

    const PriceFile& file_;
    std::vector<PricePoint> points_;
    PriceHistory& history_;
};

/// The place in the file of the offer's price at that instant.
FieldPlace place_of(const PriceFile& file, const PriceOffer& offer, std::int64_t at_ms) {
    const auto offered = std::ranges::find(file.offers, offer, &OfferedPrices::offer);
    const auto point = std::ranges::find(offered->points, at_ms, &PricePoint::at_ms);
    return point->place;
}

} // namespace

PriceHistory price_history(const PriceFile& file, const OfferedPrices& offered, Outliers outliers) {
    PriceHistory history;
    history.offer = offered.offer;
    history.times = file.times;
    history.gpus = offered.gpus;
    Rows rows{file, offered, history};
    rows.sort();
    rows.merge_instants();
    rows.drop_unpriced_ends();
    rows.note_gaps();
    rows.treat_outliers(outliers);
    rows.make_steps();
    if (const auto note = unlike_other_regions(file, history))
        history.notes.push_back(*note);
    return history;
}

std::optional<Finding> unlike_other_regions(const PriceFile& file, const PriceHistory& history) {
    constexpr std::size_t min_regions = 3;
    constexpr std::int64_t suspicious_part = 3;
    std::vector<std::vector<PricePoint>> others;
    const PriceOffer& own = history.offer;
    const auto of_type = [](const OfferedPrices& offered) -> const std::string& {
        return offered.offer.type;
    };
    for (const OfferedPrices& other :
         std::ranges::equal_range(file.offers, own.type, {}, of_type)) {
        const bool elsewhere = other.offer.region != own.region &&
                               other.offer.purchase == own.purchase &&
                               other.offer.product == own.product;
        if (!elsewhere)
            continue;
        others.push_back(other.points);
        std::ranges::stable_sort(others.back(), {}, &PricePoint::at_ms);
    }
    for (std::size_t i = 0; i < history.steps.size(); ++i) {
        std::vector<std::int64_t> prices;
        for (const std::vector<PricePoint>& points : others) {
            const auto after =
                std::ranges::upper_bound(points, history.steps.start_ms[i], {}, &PricePoint::at_ms);
            if (after != points.begin() && (after - 1)->nano_usd)
                prices.push_back(*(after - 1)->nano_usd);
        }
        if (prices.size() < min_regions)
            continue;
        const auto middle = prices.begin() + static_cast<std::ptrdiff_t>(prices.size() / 2);
        std::nth_element(prices.begin(), middle, prices.end());
        if (suspicious_part * history.steps.rate[i] >= *middle)
            continue;
        Finding note =
            mistake(fmt::format("{} USD/h at {} is under a third of what other regions ask, {}",
                                usd(history.steps.rate[i]),
                                instant_text(file.times, history.steps.start_ms[i]),
                                usd(*middle)),
                    "a machine that is not sold there may be listed without its GPUs");
        const FieldPlace at = place_of(file, own, history.steps.start_ms[i]);
        note.place = {file.path, at.line, at.column};
        return note;
    }
    return std::nullopt;
}

}} // namespace bursar::scenarios
