#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
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

/// Reads the value of one key into a struct, and describes it. (Two `std::function`s in its place
/// were a quarter of the code of all keys, and of the time to compile them.)
class KeyRule {
  public:
    KeyRule() = default;
    KeyRule(const KeyRule&) = delete;
    KeyRule& operator=(const KeyRule&) = delete;
    virtual ~KeyRule() = default;

    /// filled: the struct that the row's table fills.
    virtual void read(const Reader& at, void* filled) const = 0;
    [[nodiscard]] virtual Schema schema() const = 0;
};

/// A key of any table.
struct AnyKey {
    KeyText text;
    std::shared_ptr<const KeyRule> rule;
};

/// One key of a mapping that fills a T.
template <class T>
struct KeyRow {
    /// read(const Reader&, T&): fills the key's member. schema(): describes what it reads.
    template <class Read, class Describe>
    KeyRow(std::string key, Presence is_required, Read read, Describe schema)
        : name{std::move(key)}, presence{is_required} {
        struct Rule final : KeyRule {
            Rule(Read read, Describe schema) : read_{std::move(read)}, schema_{std::move(schema)} {}
            void read(const Reader& at, void* filled) const override {
                read_(at, *static_cast<T*>(filled));
            }
            [[nodiscard]] Schema schema() const override { return schema_(); }

            Read read_;
            Describe schema_;
        };
        const KeyRule* made = new Rule{std::move(read), std::move(schema)};
        rule.reset(made);
    }

    std::string name;
    Presence presence;
    std::shared_ptr<const KeyRule> rule;
};

/// A row of a key table.
template <class T>
struct Key : AnyKey {
    /// help: one line: meaning and default.
    Key(KeyRow<T> row, std::string help)
        : AnyKey{{std::move(row.name), std::move(help), row.presence}, std::move(row.rule)} {}
};

/// target: a pointer to the member of T that takes the rule's value, or a function from T& to it.
template <class T, class Target, ValueRule Rule>
KeyRow<T> key_row(std::string name, Presence presence, Target target, Rule rule) {
    return {std::move(name),
            presence,
            [target, rule](const Reader& at, T& value) {
                auto read = rule.read(at);
                if (!read)
                    return;
                if constexpr (std::is_member_pointer_v<Target>)
                    value.*target = std::move(*read);
                else
                    target(value) = std::move(*read);
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

/// Reads the keys of a mapping into `*filled`. Reports unknown and repeated keys, missing ones, and
/// broken choices. No value: `at` is not a mapping.
std::optional<KeysRead> read_keys(const Reader& at,
                                  std::span<const AnyKey> keys,
                                  std::span<const KeyChoice> choices,
                                  void* filled);

/// The same rules as a schema. Required keys are in `required` and `anyOf`, optional ones in the
/// other keywords.
Schema table_schema(std::span<const AnyKey> keys, std::span<const KeyChoice> choices);

/// The keys of a mapping that fills a T: each key's name, rule and meaning stand only here. Reads
/// mappings and generates their schema.
template <class T>
class Table {
  public:
    using value_type = T;
    using Check = std::function<void(const Reader&, T&, const KeysRead&)>;

    /// keys: of this T, in any container.
    explicit Table(const auto& keys) {
        for (const Key<T>& key : keys)
            keys_.push_back(key);
    }

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
        const std::optional<KeysRead> read = read_keys(at, keys_, choices_, &value);
        if (read && check_)
            check_(at, value, *read);
    }

    [[nodiscard]] Schema schema() const { return table_schema(keys_, choices_); }

  private:
    std::vector<AnyKey> keys_;
    std::vector<KeyChoice> choices_;
    Check check_;
};

/// A table of `keys`. Check: as for Table::check().
template <class T, auto Check = nullptr>
Table<T> table(const std::vector<Key<T>>& keys) {
    Table<T> made{keys};
    if constexpr (Check != nullptr)
        return std::move(made).check(Check);
    else
        return made;
}
/// The same for keys in braces. Without a vector for each T, tables compile in three quarters of
/// the time.
template <class T, auto Check = nullptr>
Table<T> table(std::initializer_list<Key<T>> keys) {
    Table<T> made{keys};
    if constexpr (Check != nullptr)
        return std::move(made).check(Check);
    else
        return made;
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
