#include "scenarios/keys/price/currencies.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

#include <fmt/format.h>

#include "models/units/units.hpp"

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/decimal.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t code_length = 3;

bool is_code(std::string_view text) {
    return text.size() == code_length &&
           std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

/// Value of one unit of a currency, in nano-dollars.
struct WorthRule {
    using value_type = std::int64_t;
    static constexpr std::int64_t max = 1'000'000;

    [[nodiscard]] std::optional<std::int64_t> read(const Reader& at) const {
        if (at.node().kind != NodeKind::scalar)
            return at.expected("dollars such as 1.08");
        const auto worth = parse_decimal(at.node().text);
        const auto nano = worth ? worth->times(nano_usd_per_usd) : std::nullopt;
        if (!nano || *nano <= 0 || *nano > max * nano_usd_per_usd)
            return at.mistake(in_quotes(at.node().text) + " is no rate",
                              fmt::format("dollars above 0, at most {}, such as 1.08", max));
        return nano;
    }
    [[nodiscard]] Schema schema() const {
        return {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", max}};
    }
};

Table<Currency> currency_keys() {
    return table<Currency>(
        {{required("usd", &Currency::nano_usd, WorthRule{}), "dollars that one of it is worth"},
         {optional("date", &Currency::day, calendar_day()), "day of that rate"},
         {optional("source", &Currency::source, text()), "where that rate is from"}});
}

} // namespace

const Currency* Currencies::find(std::string_view code) const {
    const auto found = std::ranges::find(declared, code, &Currency::code);
    return found == declared.end() ? nullptr : &*found;
}

std::vector<std::string> Currencies::codes() const {
    std::vector<std::string> codes{"USD"};
    for (const Currency& one : declared)
        codes.push_back(one.code);
    return codes;
}

std::int64_t in_nano_usd(std::int64_t nano, const Currency& currency) {
    return static_cast<std::int64_t>((int128{nano} * currency.nano_usd + nano_usd_per_usd / 2) /
                                     nano_usd_per_usd);
}

std::optional<Node> in_dollars(const Reader& at, const Currencies& currencies) {
    const std::string& text = at.node().text;
    if (at.node().kind != NodeKind::scalar)
        return std::nullopt;
    const std::size_t number_end = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::size_t begin = std::min(text.find_first_not_of(' ', number_end), text.size());
    const std::size_t end = std::min(text.find('/', begin), text.size());
    const std::string code = text.substr(begin, end - begin);
    const auto number = parse_decimal(text.substr(0, number_end));
    if (!number || !is_code(code) || code == "USD")
        return std::nullopt;
    Node dollars = at.node();
    dollars.text.clear();
    const Currency* currency = currencies.find(code);
    if (currency == nullptr) {
        at.mistake(fmt::format("{} is no currency of this scenario", code),
                   fmt::format("known: {}", fmt::join(currencies.codes(), ", ")),
                   fmt::format("declare it: `currencies: {{{}: {{usd: RATE, date: DAY}}}}`", code));
        return dollars;
    }
    const auto nano = number->times(nano_usd_per_usd);
    if (!nano || int128{*nano} * currency->nano_usd >
                     int128{std::numeric_limits<std::int64_t>::max()} * nano_usd_per_usd) {
        at.mistake(in_quotes(text) + " is too large to be counted");
        return dollars;
    }
    const std::int64_t nano_usd = in_nano_usd(*nano, *currency);
    dollars.text = fmt::format("{}.{:09} USD{}",
                               nano_usd / nano_usd_per_usd,
                               nano_usd % nano_usd_per_usd,
                               text.substr(end));
    return dollars;
}

std::optional<std::vector<Currency>> CurrenciesRule::read(const Reader& at) const {
    if (at.node().kind != NodeKind::mapping)
        return at.expected("a mapping of currencies");
    const std::size_t before = at.num_mistakes();
    std::vector<Currency> declared;
    for (const Pair& pair : at.node().pairs) {
        const Reader value = at.member(pair.key.text, pair.value);
        if (!is_code(pair.key.text))
            value.mistake(in_quotes(pair.key.text) + " is no code of a currency",
                          "three capitals, such as EUR");
        else if (pair.key.text == "USD")
            value.mistake("is what rates are in", "a dollar is a dollar", "remove it");
        else if (pair.repeated)
            value.mistake("duplicate name", "a currency has one rate");
        else if (auto currency = currency_keys().read(value)) {
            currency->code = pair.key.text;
            declared.push_back(std::move(*currency));
        }
    }
    currencies->declared = declared;
    return at.num_mistakes() == before ? std::optional{std::move(declared)} : std::nullopt;
}

Schema CurrenciesRule::schema() const {
    return {{"type", "object"},
            {"propertyNames", {{"pattern", "^[A-Z]{3}$"}}},
            {"additionalProperties", currency_keys().schema()}};
}

std::optional<std::string> BillCurrencyRule::read(const Reader& at) const {
    std::optional<std::string> code = text().read(at);
    if (!code || currencies->find(*code) != nullptr)
        return code;
    if (*code == "USD")
        return at.mistake("bills are in dollars anyway", {}, "remove it");
    return at.mistake(fmt::format("{} is no currency of this scenario", in_quotes(*code)),
                      fmt::format("known: {}", fmt::join(currencies->codes(), ", ")),
                      "declare it under `currencies`");
}

Schema BillCurrencyRule::schema() const {
    return {{"type", "string"}, {"pattern", "^[A-Z]{3}$"}};
}

}} // namespace bursar::scenarios
