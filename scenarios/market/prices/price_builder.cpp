#include "scenarios/market/prices/price_builder.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "models/market/price_series.hpp"

#include "scenarios/calendar/series_time.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/reader/decimal.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/traces/text/numbers.hpp"
#include "scenarios/traces/text/timestamps.hpp"

namespace bursar { inline namespace scenarios {
namespace {

using namespace std::string_view_literals;

constexpr std::array no_price{""sv, "n/a"sv, "na"sv, "null"sv, "none"sv, "-"sv};

/// A sign of a currency.
struct MoneySign {
    std::string_view sign; ///< in lower case
    std::string_view code; ///< of the currency
};
constexpr std::array money_signs{MoneySign{"us$"sv, "USD"sv},
                                 MoneySign{"$"sv, "USD"sv},
                                 MoneySign{"usd"sv, "USD"sv},
                                 MoneySign{"\u20ac"sv, "EUR"sv},
                                 MoneySign{"eur"sv, "EUR"sv},
                                 MoneySign{"\u00a3"sv, "GBP"sv},
                                 MoneySign{"gbp"sv, "GBP"sv},
                                 MoneySign{"\u00a5"sv, "JPY"sv},
                                 MoneySign{"jpy"sv, "JPY"sv},
                                 MoneySign{"\u00a5"sv, "CNY"sv},
                                 MoneySign{"cny"sv, "CNY"sv},
                                 MoneySign{"\u20b9"sv, "INR"sv},
                                 MoneySign{"inr"sv, "INR"sv},
                                 MoneySign{"chf"sv, "CHF"sv}};

/// "EUR" of "8 EUR", if that is not `currency`; empty where no other currency is named.
std::string_view other_currency(std::string_view text, std::string_view currency) {
    const std::string small = lower_case(text);
    std::string_view other;
    for (const MoneySign& money : money_signs) {
        if (small.find(money.sign) == std::string::npos)
            continue;
        if (money.code == currency)
            return {};
        if (other.empty())
            other = money.code;
    }
    return other;
}

/// What is wrong with a cell that holds no number of `currency`.
Finding price_problem(std::string_view text, std::string_view currency) {
    if (const std::string_view other = other_currency(text, currency); !other.empty())
        return mistake(
            fmt::format(
                "{} is not in {}", in_quotes(text), currency == "USD" ? "dollars" : currency),
            "prices are taken in " + std::string{currency},
            other == "USD"
                ? std::string{"leave `currency` out"}
                : fmt::format("declare {} under `currencies` and give `currency: {}`, or "
                              "convert the file to USD",
                              other,
                              other));
    if (text.find(',') != std::string_view::npos)
        return mistake(in_quotes(text) + " is not a price",
                       "a point is the decimal point; separators of thousands are not allowed");
    return mistake(in_quotes(text) + " is not a price",
                   currency == "USD" ? std::string{"expected dollars such as 0.918 or $0.918"}
                                     : fmt::format("expected such as 0.918 or 0.918 {}", currency));
}

/// The amount in a cell as digits: "$ 0.918" and "0.918 USD" are 0.918; likewise with the sign and
/// the code of other currencies.
std::string_view without_sign(std::string_view text, std::string_view currency) {
    const auto strip = [&](std::string_view sign) {
        const std::string small = lower_case(text);
        if (small.starts_with(sign))
            text = trimmed(text.substr(sign.size()));
        else if (small.ends_with(sign))
            text = trimmed(text.substr(0, text.size() - sign.size()));
    };
    for (const MoneySign& money : money_signs)
        if (money.code == currency)
            strip(money.sign);
    strip(lower_case(currency));
    return text;
}

} // namespace

std::string PriceOffer::text() const {
    std::string all;
    // The name of a zone includes its region.
    for (const std::string& part : {type, zone.empty() ? region : zone, product, purchase})
        if (!part.empty())
            all += (all.empty() ? "" : " ") + part;
    return all.empty() ? "the price" : all;
}

Finding PriceBuilder::at(FieldPlace place, std::string_view column, Finding finding) const {
    finding.place = {file_, place.line, place.column};
    finding.path = column;
    return finding;
}

void PriceBuilder::add_mistake(FieldPlace place, std::string_view column, Finding finding) {
    const std::string cause = fmt::format("{}: {}", column, finding.why);
    mistakes_.add(at(place, column, std::move(finding)), cause);
}

/// The instant, if it is in range and of the file's kind of times.
std::optional<std::int64_t> PriceBuilder::checked(std::int64_t at_ms,
                                                  PriceTimes times,
                                                  std::string_view column,
                                                  FieldPlace place) {
    if (at_ms > max_series_time.count() || at_ms < -max_series_time.count()) {
        add_mistake(place,
                    column,
                    mistake("too far away", "at most 278 years from 1970 or the file's zero"));
        return std::nullopt;
    }
    if (times_ == PriceTimes::none)
        times_ = times;
    if (times_ == times)
        return at_ms;
    add_mistake(place,
                column,
                mistake(times == PriceTimes::dated ? "a date after relative times"
                                                   : "a number of seconds after dates",
                        "a file has one or the other"));
    return std::nullopt;
}

std::optional<std::int64_t>
PriceBuilder::instant(std::string_view text, std::string_view column, FieldPlace place) {
    text = trimmed(text);
    if (const auto instant = epoch_time(text)) {
        if (!first_epoch_time_)
            first_epoch_time_ = place;
        return checked(*instant, PriceTimes::dated, column, place);
    }
    if (const auto seconds = parse_seconds(text))
        return checked(*seconds, PriceTimes::relative, column, place);
    const auto date = parse_date_or_timestamp(text, 0);
    if (!date) {
        add_mistake(place,
                    column,
                    text.empty()
                        ? mistake("missing", "every price needs its time")
                        : mistake(in_quotes(text) + " is not a time",
                                  "expected a date such as 2020-02-20T03:21:36Z, or seconds"));
        return std::nullopt;
    }
    if (!has_zone(text) && !first_without_zone_)
        first_without_zone_ = place;
    return checked(*date, PriceTimes::dated, column, place);
}

std::optional<std::int64_t>
PriceBuilder::american_date(std::string_view text, std::string_view column, FieldPlace place) {
    std::array<std::string, 3> of_date;
    std::size_t part = 0;
    for (const char c : trimmed(text)) {
        if (c == '/')
            ++part;
        else if (part < of_date.size())
            of_date[part] += c;
    }
    const auto& [month, day_of_month, year] = of_date;
    const bool form = part == 2 && month.size() <= 2 && day_of_month.size() <= 2;
    const auto date =
        form
            ? parse_date_or_timestamp(fmt::format("{}-{:0>2}-{:0>2}", year, month, day_of_month), 0)
            : std::nullopt;
    if (!date) {
        add_mistake(place,
                    column,
                    mistake(in_quotes(text) + " is not a date",
                            "expected month/day/year such as 2/24/2020"));
        return std::nullopt;
    }
    if (!first_without_zone_)
        first_without_zone_ = place;
    return checked(*date, PriceTimes::dated, column, place);
}

void PriceBuilder::add(const PriceOffer& offer,
                       std::int64_t at_ms,
                       std::string_view text,
                       std::int64_t hours,
                       std::string_view column,
                       FieldPlace place) {
    text = trimmed(text);
    PricePoint point{at_ms, std::nullopt, place};
    if (std::ranges::find(no_price, lower_case(text)) == no_price.end()) {
        if (currency_ != "USD" && lower_case(column).find("usd") != std::string::npos)
            return add_mistake(place,
                               column,
                               mistake("prices in USD, by the name of the column",
                                       "`currency` says " + currency_,
                                       "leave `currency` out"));
        const std::string_view digits = without_sign(text, currency_);
        if (digits.starts_with('-'))
            return add_mistake(place, column, mistake(in_quotes(text) + " is negative", "a price"));
        const auto price = parse_decimal(digits);
        if (!price)
            return add_mistake(place, column, price_problem(text, currency_));
        const auto nano_usd = price->times(nano_usd_per_usd);
        if (!nano_usd || *nano_usd / hours > max_series_rate.count())
            return add_mistake(
                place, column, mistake(in_quotes(text) + " is too high", "at most 1e6 USD/h"));
        point.nano_usd = (*nano_usd + hours / 2) / hours;
    }
    offers_[offer].points.push_back(point);
}

void PriceBuilder::set_gpus(const PriceOffer& offer, std::string_view text, FieldPlace place) {
    const auto found = offers_.find(offer);
    text = trimmed(text);
    if (found == offers_.end() || text.empty())
        return;
    const auto gpus = parse_count(text);
    if (!gpus)
        return add_mistake(
            place, "gpus", mistake(in_quotes(text) + " is not a whole number", "of GPUs"));
    if (*gpus > 0)
        found->second.gpus = *gpus;
}

PriceFile PriceBuilder::finish() {
    if (!mistakes_.empty()) {
        std::vector<Finding> findings = mistakes_.shown();
        if (mistakes_.num_unlisted() > 0)
            findings.push_back(at(
                {},
                {},
                mistake(fmt::format("{} more mistakes of other kinds", mistakes_.num_unlisted()))));
        throw ScenarioError{std::move(findings)};
    }
    PriceFile read;
    read.path = file_;
    read.times = times_;
    bool first = true;
    for (auto& [offer, offered] : offers_) {
        // An offer without any price is dropped, such as a machine whose spot price is empty.
        if (std::ranges::none_of(offered.points,
                                 [](const PricePoint& p) { return p.nano_usd.has_value(); }))
            continue;
        for (const PricePoint& point : offered.points) {
            read.last_ms = first ? point.at_ms : std::max(read.last_ms, point.at_ms);
            first = false;
        }
        read.offers.push_back({offer, std::move(offered.points), offered.gpus});
    }
    if (read.offers.empty())
        fail_input(file_, mistake("no row has a price"));
    if (first_epoch_time_)
        read.notes.push_back(
            epoch_time_note({file_, first_epoch_time_->line, first_epoch_time_->column}));
    if (first_without_zone_)
        read.notes.push_back(
            no_zone_note({file_, first_without_zone_->line, first_without_zone_->column}));
    return read;
}

}} // namespace bursar::scenarios
