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

/// What an hour of a pool costs: a rate, the prices of a file, which is read with it, or prices
/// that are drawn.
struct PriceRule {
    using value_type = std::variant<Price, FilePrice, DrawnPrice>;
    PriceContext context;
    [[nodiscard]] std::optional<value_type> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

/// `price.generate`: prices drawn by the seed, by a law that is written out or like those of a
/// file, which is read with it.
struct DrawnPriceRule {
    using value_type = DrawnPrice;
    PriceContext context;
    [[nodiscard]] std::optional<DrawnPrice> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

/// The keys of a reservation: `term` and `upfront`.
std::vector<Key<PoolSpec>> term_keys(const PriceContext& context);

/// What a pool must be for them. at: the pool.
void check_term(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// What of `upfront` an hour of a GPU bears: the amount over the length of the term, rounded half
/// up to a nano-dollar. Precondition: there is an amount and a length.
[[nodiscard]] MoneyRate upfront_rate(const PoolSpec& pool);

/// The key `discount` of a pool.
Key<PoolSpec> discount_key();

/// What a pool must be for it. at: the pool.
void check_discount(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// One entry of `commitments`.
Table<CommitmentSpec> commitment_keys(const PriceContext& context);

/// Whether their names are unique and their pools there. at: the scenario.
void check_commitments(const Reader& at, const Scenario& scenario);

/// One row of `egress`.
Table<EgressSpec> egress_keys(const PriceContext& context);

/// Reports regions that no pool is in. at: the scenario.
void check_egress(const Reader& at, const Scenario& scenario);

/// What stands in an element of `budgets`.
Table<BudgetSpec> budget_keys();

/// The key `calendar`: the time zone that months are counted in.
Key<Scenario> calendar_key();

}} // namespace bursar::scenarios
