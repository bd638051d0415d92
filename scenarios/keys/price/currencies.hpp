#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/market/prices/read_prices.hpp"
#include "scenarios/reader/reader.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/price_spec.hpp"

namespace bursar { inline namespace scenarios {

/// The `currencies` of a scenario; filled before prices are read.
struct Currencies {
    std::vector<Currency> declared;

    [[nodiscard]] const Currency* find(std::string_view code) const;
    /// The names that a price may have: USD and those declared.
    [[nodiscard]] std::vector<std::string> codes() const;
};

/// `nano` of the currency in nano-dollars, rounded half up. nano: >= 0, the product inside int64.
[[nodiscard]] std::int64_t in_nano_usd(std::int64_t nano, const Currency& currency);

/// An amount in another currency, converted to dollars: "2 EUR/gpu-h" is "2.16 USD/gpu-h". Absent
/// for an amount in dollars and for what is no amount of money. Reports an undeclared currency and
/// returns an empty node then.
[[nodiscard]] std::optional<Node> in_dollars(const Reader& at, const Currencies& currencies);

/// Reads money in any declared currency by a rule for dollars.
template <ValueRule Rule>
struct MoneyRule {
    using value_type = typename Rule::value_type;
    Rule rule;
    std::shared_ptr<const Currencies> currencies;

    [[nodiscard]] std::optional<value_type> read(const Reader& at) const {
        const std::optional<Node> dollars = in_dollars(at, *currencies);
        if (!dollars)
            return rule.read(at);
        if (dollars->text.empty())
            return std::nullopt;
        return rule.read(at.in_place(*dollars));
    }
    [[nodiscard]] Schema schema() const {
        return {{"anyOf",
                 {rule.schema(),
                  {{"type", "string"}, {"pattern", R"(^[0-9.]+ *(?!USD)[A-Z]{3}(/|$))"}}}}};
    }
};

template <ValueRule Rule>
MoneyRule<Rule> money(Rule rule, std::shared_ptr<const Currencies> currencies) {
    return {std::move(rule), std::move(currencies)};
}

/// The value of the key `currencies`: a mapping of codes. Also stored in the member `currencies`
/// for the rules of prices.
struct CurrenciesRule {
    using value_type = std::vector<Currency>;
    std::shared_ptr<Currencies> currencies;
    [[nodiscard]] std::optional<value_type> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

/// The code of a declared currency: that of the bill's second totals.
struct BillCurrencyRule {
    using value_type = std::string;
    std::shared_ptr<const Currencies> currencies;
    [[nodiscard]] std::optional<std::string> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

/// State that the rules for prices share.
struct PriceContext {
    std::shared_ptr<PriceFiles> files;                                      ///< read so far
    std::shared_ptr<Currencies> currencies{std::make_shared<Currencies>()}; ///< of the scenario
};

}} // namespace bursar::scenarios
