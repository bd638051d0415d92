#include "scenarios/reader/table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/errors/nearest_name.hpp"

namespace bursar { inline namespace scenarios {
namespace {

void check_written(const Reader& at, std::span<const AnyKey> keys) {
    std::vector<std::string> names;
    for (const AnyKey& key : keys)
        names.push_back(key.text.name);
    for (const Pair& pair : at.node().pairs) {
        const std::string& name = pair.key.text;
        if (std::ranges::find(names, name) == names.end())
            at.member(name, pair.key).mistake("unknown key", {}, suggestion(name, names));
        else if (pair.repeated)
            at.member(name, pair.key).mistake("duplicate key");
    }
}

/// The key of that name that a `--set` removed; null: not removed.
const Node* unset_key(const Reader& at, std::string_view name) {
    const auto found = std::ranges::find(at.node().unset, name, &Node::text);
    return found == at.node().unset.end() ? nullptr : &*found;
}

void check_missing(const Reader& at, std::span<const AnyKey> keys) {
    for (const auto& [key, rule] : keys) {
        if (key.presence != Presence::required || at.find(key.name))
            continue;
        if (const Node* unset = unset_key(at, key.name))
            at.member(key.name, *unset).mistake("required, so it cannot be removed", key.help);
        else
            at.mistake_at(key.name, "missing", key.help);
    }
}

void check_choice(const Reader& at, const KeyChoice& choice) {
    std::string first;
    for (const std::string& name : choice.names) {
        const std::optional<Reader> written = at.find(name);
        if (written && !first.empty())
            written->mistake("cannot be combined with " + first, "give one of them");
        else if (written)
            first = name;
    }
    if (!first.empty() || choice.count != ChoiceOf::exactly_one)
        return;
    const std::string names = fmt::format("{}", fmt::join(choice.names, ", "));
    for (const std::string& name : choice.names)
        if (const Node* unset = unset_key(at, name)) {
            at.member(name, *unset).mistake("cannot be removed alone", "give one of " + names);
            return;
        }
    at.mistake("missing: one of " + names);
}

} // namespace

std::optional<KeysRead> read_keys(const Reader& at,
                                  std::span<const AnyKey> keys,
                                  std::span<const KeyChoice> choices,
                                  void* filled) {
    if (at.node().kind != NodeKind::mapping) {
        at.expected("a mapping");
        return std::nullopt;
    }
    check_written(at, keys);
    check_missing(at, keys);
    for (const KeyChoice& choice : choices)
        check_choice(at, choice);
    KeysRead keys_read;
    for (const auto& [text, rule] : keys) {
        const std::optional<Reader> written = at.find(text.name);
        const std::size_t before = at.num_mistakes();
        if (written)
            rule->read(*written, filled);
        if (at.num_mistakes() != before || (!written && text.presence == Presence::required))
            keys_read.set_bad(text.name);
    }
    return keys_read;
}

Schema table_schema(std::span<const AnyKey> keys, std::span<const KeyChoice> choices) {
    Schema properties = Schema::object();
    Schema required;
    for (const auto& [text, rule] : keys) {
        Schema& property = properties[text.name];
        property["description"] = text.help;
        property.update(rule->schema());
        if (text.presence == Presence::required)
            required.push_back(text.name);
    }
    Schema schema = {
        {"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
    if (!required.empty())
        schema["required"] = std::move(required);
    for (const KeyChoice& choice : choices) {
        Schema alternatives;
        for (const std::string& name : choice.names)
            alternatives.push_back({{"required", {name}}});
        if (choice.count == ChoiceOf::exactly_one)
            schema["anyOf"] = alternatives; // no table has two such choices
        alternatives.push_back({{"not", {{"anyOf", alternatives}}}});
        schema["allOf"].push_back({{"oneOf", std::move(alternatives)}});
    }
    return schema;
}

}} // namespace bursar::scenarios
