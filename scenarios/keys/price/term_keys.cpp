#include <string>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/keys/price/price_keys.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::string_view amortised = "amortised";

/// The value of `term`: a length, a word, or both.
struct WrittenTerm {
    std::optional<Duration> length;
    bool is_amortised{};
};

Table<WrittenTerm> term_table() {
    return table<WrittenTerm>(
        {{required("length", &WrittenTerm::length, lifetime(Zero::refused)),
          "length of the contract"},
         {required("paid",
                   &WrittenTerm::is_amortised,
                   ChoiceRule<bool>{{{"whole", false}, {std::string{amortised}, true}}}),
          "whole: as many terms as cover the run; amortised: the run's share"}});
}

struct TermRule {
    using value_type = WrittenTerm;

    [[nodiscard]] std::optional<WrittenTerm> read(const Reader& at) const {
        const Node& node = at.node();
        if (node.kind == NodeKind::mapping)
            return term_table().read(at);
        const bool is_word = node.kind == NodeKind::scalar && !node.text.empty() &&
                             node.text.find_first_of("0123456789") == std::string::npos;
        if (is_word && node.text == amortised)
            return WrittenTerm{{}, true};
        if (is_word)
            return at.mistake(in_quotes(node.text) + " is neither a quantity nor " +
                                  std::string{amortised},
                              {},
                              suggestion(node.text, std::vector{std::string{amortised}}));
        const auto length = lifetime(Zero::refused).read(at);
        return length ? std::optional{WrittenTerm{length, false}} : std::nullopt;
    }
    [[nodiscard]] Schema schema() const {
        return {{"anyOf",
                 {lifetime(Zero::refused).schema(),
                  {{"const", std::string{amortised}}},
                  term_table().schema()}}};
    }
};

} // namespace

std::vector<Key<PoolSpec>> term_keys(const PriceContext& context) {
    const auto upfront = money(price_of(capital_prices), context.currencies);
    return {{{"term",
              Presence::optional,
              [](const Reader& at, PoolSpec& pool) {
                  const auto term = TermRule{}.read(at);
                  if (!term)
                      return;
                  pool.is_amortised = term->is_amortised;
                  pool.term_length = term->length;
                  if (!term->is_amortised)
                      pool.term = term->length;
              },
              [] { return TermRule{}.schema(); }},
             "reserved: length of the contract, paid as often as it takes to cover the run; "
             "amortised: the run's share of it is paid; or a mapping of both"},
            {optional("upfront", &PoolSpec::upfront, upfront),
             "reserved: what is paid once for each term, beside the price; needs the "
             "length of the term"}};
}

void check_term(const Reader& at, const PoolSpec& pool, const KeysRead& keys) {
    if (!keys.good("purchase"))
        return;
    for (const char* key : {"term", "upfront"})
        if (const auto written = at.find(key); written && pool.purchase != Purchase::reserved)
            written->mistake("only for purchase reserved", "other capacity has no term");
    const auto upfront = at.find("upfront");
    if (!upfront || pool.purchase != Purchase::reserved || !keys.good("term"))
        return;
    if (!pool.term_length)
        at.mistake_at("term",
                      pool.is_amortised ? "has no length" : "missing",
                      "upfront is paid once for each term",
                      "such as `term: {length: 1 y, paid: amortised}`");
    else if (*pool.term_length < hour)
        at.mistake_at("term", "too short to pay for upfront", "at least 1 h");
    if (pool.list_price_varies())
        upfront->mistake("needs a price that is constant");
}

MoneyRate upfront_rate(const PoolSpec& pool) {
    const int128 nano_usd = gpu_price(*pool.upfront, pool.gpus_per_node);
    const std::int64_t length_ms = pool.term_length->count();
    return MoneyRate{
        static_cast<std::int64_t>((nano_usd * hour.count() * 2 + length_ms) / (2 * length_ms))};
}

}} // namespace bursar::scenarios
