#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "scenarios/keys/price/currencies.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/reader.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/price_spec.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// A price as a number with a unit, hourly or once as the dimension says.
QuantityRule<Price> price_of(const Dimension& dimension);

/// Price of an hour of a pool: a rate, the prices of a file (which is read), or drawn prices.
struct PriceRule {
    using value_type = std::variant<Price, FilePrice, DrawnPrice>;
    PriceContext context;
    [[nodiscard]] std::optional<value_type> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

/// `price.generate`: prices drawn by the seed, by a given law or by one fitted to a file (which is
/// read).
struct DrawnPriceRule {
    using value_type = DrawnPrice;
    PriceContext context;
    [[nodiscard]] std::optional<DrawnPrice> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

/// The keys of a reservation: `term` and `upfront`.
std::vector<Key<PoolSpec>> term_keys(const PriceContext& context);

/// Reports `term` and `upfront` of a pool that cannot have them. at: the pool.
void check_term(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// Share of `upfront` in a GPU-hour: the amount over the length of the term, rounded half up to a
/// nano-dollar. Precondition: the pool has both.
[[nodiscard]] MoneyRate upfront_rate(const PoolSpec& pool);

/// The key `discount` of a pool.
Key<PoolSpec> discount_key();

/// Reports `discount` of a pool that cannot have one. at: the pool.
void check_discount(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// One entry of `commitments`.
Table<CommitmentSpec> commitment_keys(const PriceContext& context);

/// Reports names that are used twice and unknown pools. at: the scenario.
void check_commitments(const Reader& at, const Scenario& scenario);

/// One row of `egress`.
Table<EgressSpec> egress_keys(const PriceContext& context);

/// Reports regions without a pool. at: the scenario.
void check_egress(const Reader& at, const Scenario& scenario);

/// The keys of one element of `budgets`.
Table<BudgetSpec> budget_keys();

/// The key `calendar`: the time zone of calendar months.
Key<Scenario> calendar_key();

}} // namespace bursar::scenarios
