#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/reader/reader.hpp"

namespace bursar { inline namespace scenarios {

enum class Presence : std::uint8_t { required, optional };

/// Texts of a row of a key table.
struct KeyText {
    std::string name;
    std::string help; ///< one line: meaning and default
    Presence presence{Presence::optional};
};

enum class ChoiceOf : std::uint8_t { exactly_one, at_most_one };

/// Keys that exclude one another.
struct KeyChoice {
    std::vector<std::string> names;
    ChoiceOf count{ChoiceOf::exactly_one};
};

/// Reports unknown and repeated keys of a mapping, missing ones, and broken choices.
void check_keys(const Reader& at,
                std::span<const KeyText> keys,
                std::span<const KeyChoice> choices);

/// The same rules as a schema. schemas: one per key. Required keys are in `required` and
/// `anyOf`, optional ones in the other keywords.
Schema table_schema(std::span<const KeyText> keys,
                    std::vector<Schema> schemas,
                    std::span<const KeyChoice> choices);

/// One key of a mapping, the member of T it fills, and its value rule.
template <class T>
struct KeyRow {
    std::string name;
    Presence presence{};
    std::function<void(const Reader&, T&)> read;
    std::function<Schema()> schema;
};

/// A row of a key table.
template <class T>
struct Key {
    /// help: one line: meaning and default.
    Key(KeyRow<T> row, std::string help)
        : text{std::move(row.name), std::move(help), row.presence}, read{std::move(row.read)},
          schema{std::move(row.schema)} {}

    KeyText text;
    std::function<void(const Reader&, T&)> read;
    std::function<Schema()> schema;
};

/// target: a pointer to the member of T that takes the rule's value, or a function from T& to it.
template <class T, class Target, ValueRule Rule>
KeyRow<T> key_row(std::string name, Presence presence, Target target, Rule rule) {
    return {std::move(name),
            presence,
            [target, rule](const Reader& at, T& value) {
                if (auto read = rule.read(at))
                    std::invoke(target, value) = std::move(*read);
            },
            [rule] { return rule.schema(); }};
}

/// A member of a part of T.
template <class T, class Part, class Member>
struct PartMember {
    Part T::*part;
    Member Part::*member;
    Member& operator()(T& value) const { return value.*part.*member; }
};
template <class T, class Part, class Member>
PartMember<T, Part, Member> within(Part T::*part, Member Part::*member) {
    return {part, member};
}

/// A required key.
template <class T, class Member, ValueRule Rule>
KeyRow<T> required(std::string name, Member T::*member, Rule rule) {
    return key_row<T>(std::move(name), Presence::required, member, std::move(rule));
}
template <class T, class Part, class Member, ValueRule Rule>
KeyRow<T> required(std::string name, PartMember<T, Part, Member> member, Rule rule) {
    return key_row<T>(std::move(name), Presence::required, member, std::move(rule));
}

/// An optional key; without it the member keeps its default.
template <class T, class Member, ValueRule Rule>
KeyRow<T> optional(std::string name, Member T::*member, Rule rule) {
    return key_row<T>(std::move(name), Presence::optional, member, std::move(rule));
}
template <class T, class Part, class Member, ValueRule Rule>
KeyRow<T> optional(std::string name, PartMember<T, Part, Member> member, Rule rule) {
    return key_row<T>(std::move(name), Presence::optional, member, std::move(rule));
}

/// The keys of a mapping that were read without a mistake. A check tests its keys here first, so
/// that one mistake causes one message.
class KeysRead {
  public:
    void set_bad(std::string_view key) { bad_.emplace(key); }
    [[nodiscard]] bool good(std::string_view key) const { return !bad_.contains(key); }

  private:
    std::set<std::string, std::less<>> bad_;
};

/// The keys of a mapping that fills a T: each key's name, rule and meaning stand only here. Reads
/// mappings and generates their schema.
template <class T>
class Table {
  public:
    using value_type = T;
    using Check = std::function<void(const Reader&, T&, const KeysRead&)>;

    explicit Table(std::vector<Key<T>> keys) : keys_{std::move(keys)} {}

    /// Requires exactly one of these keys; each is optional in its row.
    Table&& exactly_one_of(std::vector<std::string> names) && {
        choices_.push_back({std::move(names), ChoiceOf::exactly_one});
        return std::move(*this);
    }
    Table&& at_most_one_of(std::vector<std::string> names) && {
        choices_.push_back({std::move(names), ChoiceOf::at_most_one});
        return std::move(*this);
    }
    /// Adds a check across keys that the schema cannot express; it runs after the keys are read.
    Table&& check(Check check) && {
        check_ = std::move(check);
        return std::move(*this);
    }

    [[nodiscard]] std::optional<T> read(const Reader& at) const {
        T value;
        const std::size_t before = at.num_mistakes();
        read_into(at, value);
        return at.num_mistakes() == before ? std::optional{std::move(value)} : std::nullopt;
    }

    /// As read(), into an existing value; its other members stay.
    void read_into(const Reader& at, T& value) const {
        if (at.node().kind != NodeKind::mapping) {
            at.expected("a mapping");
            return;
        }
        KeysRead keys_read;
        check_keys(at, texts(), choices_);
        for (const Key<T>& key : keys_) {
            const std::optional<Reader> written = at.find(key.text.name);
            const std::size_t before = at.num_mistakes();
            if (written)
                key.read(*written, value);
            if (at.num_mistakes() != before ||
                (!written && key.text.presence == Presence::required))
                keys_read.set_bad(key.text.name);
        }
        if (check_)
            check_(at, value, keys_read);
    }

    [[nodiscard]] Schema schema() const {
        std::vector<Schema> schemas;
        for (const Key<T>& key : keys_)
            schemas.push_back(key.schema());
        return table_schema(texts(), std::move(schemas), choices_);
    }

  private:
    [[nodiscard]] std::vector<KeyText> texts() const {
        std::vector<KeyText> texts;
        for (const Key<T>& key : keys_)
            texts.push_back(key.text);
        return texts;
    }

    std::vector<Key<T>> keys_;
    std::vector<KeyChoice> choices_;
    Check check_;
};

template <class T>
Table<T> table(std::vector<Key<T>> keys) {
    return Table<T>{std::move(keys)};
}
/// The same with Table::check().
template <class T, auto Check>
Table<T> table(std::vector<Key<T>> keys) {
    return Table<T>{std::move(keys)}.check(Check);
}

/// A key whose mapping fills members of the same T.
template <class T>
KeyRow<T> section(std::string name, Presence presence, Table<T> keys) {
    return {std::move(name),
            presence,
            [keys](const Reader& at, T& value) { keys.read_into(at, value); },
            [keys] { return keys.schema(); }};
}

/// A key that fills no member: `include` is resolved elsewhere, `bursar` is only checked.
template <class T, ValueRule Rule>
KeyRow<T> noted(std::string name, Presence presence, Rule rule) {
    return {std::move(name),
            presence,
            [rule](const Reader& at, T&) { static_cast<void>(rule.read(at)); },
            [rule] { return rule.schema(); }};
}

}} // namespace bursar::scenarios
