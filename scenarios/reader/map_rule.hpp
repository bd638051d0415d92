#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/reader/reader.hpp"

namespace bursar { inline namespace scenarios {

/// A mapping whose keys are the user's own names and whose values one rule reads; in the order of
/// writing.
template <ValueRule Rule>
class MapRule {
  public:
    using value_type = std::vector<std::pair<std::string, typename Rule::value_type>>;
    /// what: of messages, "a mapping of levels to factors".
    MapRule(Rule rule, std::string what) : rule_{std::move(rule)}, what_{std::move(what)} {}

    [[nodiscard]] std::optional<value_type> read(const Reader& at) const {
        if (at.node().kind != NodeKind::mapping)
            return at.expected(what_);
        const std::size_t before = at.num_mistakes();
        value_type map;
        for (const Pair& pair : at.node().pairs) {
            if (pair.repeated)
                at.member(pair.key.text, pair.key).mistake("duplicate key");
            if (auto value = rule_.read(at.member(pair.key.text, pair.value)))
                map.emplace_back(pair.key.text, std::move(*value));
        }
        return at.num_mistakes() == before ? std::optional{std::move(map)} : std::nullopt;
    }

    [[nodiscard]] Schema schema() const {
        return {{"type", "object"}, {"additionalProperties", rule_.schema()}};
    }

  private:
    Rule rule_;
    std::string what_;
};

template <ValueRule Rule>
MapRule<Rule> map_of(Rule rule, std::string what) {
    return {std::move(rule), std::move(what)};
}

}} // namespace bursar::scenarios
