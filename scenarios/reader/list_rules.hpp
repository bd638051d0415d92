#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/reader/reader.hpp"

namespace bursar { inline namespace scenarios {

/// A list with at least `min` elements, each read by one rule.
template <ValueRule Rule>
class ListRule {
  public:
    using value_type = std::vector<typename Rule::value_type>;
    ListRule(Rule rule, std::size_t min) : rule_{std::move(rule)}, min_{min} {}

    [[nodiscard]] std::optional<value_type> read(const Reader& at) const {
        const Node& node = at.node();
        if (node.kind != NodeKind::sequence)
            return at.expected("a list");
        if (node.items.size() < min_)
            return at.mistake("the list is too short", fmt::format("at least {}", min_));
        value_type list;
        for (std::size_t i = 0; i < node.items.size(); ++i)
            if (auto value = rule_.read(at.element(i)))
                list.push_back(std::move(*value));
        return list.size() == node.items.size() ? std::optional{std::move(list)} : std::nullopt;
    }

    [[nodiscard]] Schema schema() const {
        return {{"type", "array"}, {"minItems", min_}, {"items", rule_.schema()}};
    }

  private:
    Rule rule_;
    std::size_t min_;
};

/// A list, or one element without the brackets.
template <ValueRule Rule>
class OneOrListRule {
  public:
    using value_type = std::vector<typename Rule::value_type>;
    explicit OneOrListRule(Rule rule) : one_{rule}, list_{std::move(rule), 1} {}

    [[nodiscard]] std::optional<value_type> read(const Reader& at) const {
        if (at.node().kind == NodeKind::sequence)
            return list_.read(at);
        auto value = one_.read(at);
        return value ? std::optional{value_type{std::move(*value)}} : std::nullopt;
    }

    [[nodiscard]] Schema schema() const { return {{"anyOf", {one_.schema(), list_.schema()}}}; }

  private:
    Rule one_;
    ListRule<Rule> list_;
};

template <ValueRule Rule>
ListRule<Rule> list_of(Rule rule, std::size_t min = 1) {
    return {std::move(rule), min};
}
template <ValueRule Rule>
OneOrListRule<Rule> one_or_list_of(Rule rule) {
    return OneOrListRule<Rule>{std::move(rule)};
}

/// A mapping from names of the user's choice to values that one rule reads, in the order of
/// writing.
template <ValueRule Rule>
class MapRule {
  public:
    using value_type = std::vector<std::pair<std::string, typename Rule::value_type>>;
    /// what: for messages, "a mapping of levels to factors".
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
