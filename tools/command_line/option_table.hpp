#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "scenarios/reader/quantity_rule.hpp"

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// The options of a command that fill a T, one row each: name, member, values taken, meaning. The
/// command line, help texts, manual pages, completions and errors follow from the rows. Help texts
/// show the default of a member that is not optional.
template <class T>
class OptionTable {
  public:
    struct Row {
        template <class Member, class Rule>
        Row(std::string name, Member T::*member, Rule rule, std::string help)
            : add{[=](Command command, T& value) {
                  rule.add(command, name, value.*member, help);
              }} {}
        /// A flag.
        Row(std::string name, bool T::*member, std::string help)
            : add{[=](Command command, T& value) { command.add_flag(name, value.*member, help); }} {
        }
        /// Every option of a part.
        template <class Part>
        Row(Part T::*member, OptionTable<Part> table)
            : add{[=](Command command, T& value) { table.add_to(command, value.*member); }} {}

        std::function<void(Command, T&)> add;
    };

    explicit OptionTable(std::vector<Row> rows) : rows_{std::move(rows)} {}

    OptionTable&& required(std::string option) && {
        return std::move(*this).change([=](Command command) { command.option(option).required(); });
    }
    /// `option` is refused without `other`.
    OptionTable&& needs(std::string option, std::string other) && {
        return std::move(*this).change(
            [=](Command command) { command.option(option).needs(command.option(other)); });
    }
    /// `option` is refused together with any of the others.
    OptionTable&& excludes(std::string option, std::vector<std::string> others) && {
        return std::move(*this).change([=](Command command) {
            for (const std::string& other : others)
                command.option(option).excludes(command.option(other));
        });
    }
    OptionTable&& check(std::string option, Check wrong) && {
        return std::move(*this).change(
            [=](Command command) { command.option(option).check(wrong); });
    }
    /// Replaces the description of an option of a part.
    OptionTable&& describe(std::string option, std::string help) && {
        return std::move(*this).change(
            [=](Command command) { command.option(option).description(help); });
    }
    /// Removes an option of a part.
    OptionTable&& without(std::string option) && {
        return std::move(*this).change([=](Command command) { command.remove_option(option); });
    }

    /// `value` must live as long as the program.
    void add_to(Command command, T& value) const {
        for (const Row& row : rows_)
            row.add(command, value);
        for (const auto& change : changes_)
            change(command);
    }

  private:
    OptionTable&& change(std::function<void(Command)> change) && {
        changes_.push_back(std::move(change));
        return std::move(*this);
    }

    std::vector<Row> rows_;
    std::vector<std::function<void(Command)>> changes_; ///< after all rows, in this order
};

/// The rows as a table, in the order of the help text.
template <class T>
OptionTable<T> option_table(std::vector<typename OptionTable<T>::Row> rows) {
    return OptionTable<T>{std::move(rows)};
}

/// Any text. shown: what help texts call the value ("FILE"); null for an argument without dashes.
struct TextRule {
    const char* shown;
    Names names{}; ///< that completions offer

    template <class Target> // std::string, or a vector of them
    void
    add(Command command, const std::string& name, Target& value, const std::string& help) const {
        Option option = command.add_option(name, value, help);
        if (shown != nullptr)
            option.type_name(shown);
        if (names)
            option.completes(names);
        if (!value.empty())
            option.show_default();
    }
};

/// A positional argument ("FILE").
inline TextRule argument() {
    return {nullptr};
}
inline TextRule word(const char* shown) {
    return {shown};
}
inline TextRule file_name() {
    return {"FILE"};
}
/// A name that the command looks up itself.
inline TextRule name_among(Names names) {
    return {"NAME", std::move(names)};
}

/// One of these texts, in any of their spellings.
struct KnownTextRule {
    const char* shown;
    std::vector<std::string> names;

    void add(Command command,
             const std::string& name,
             std::string& value,
             const std::string& help) const {
        command.add_option(name, value, help).one_of_words(names).type_name(shown);
    }
};

/// Texts between commas.
struct TextListRule {
    const char* shown;
    Names names{}; ///< that completions offer

    void add(Command command,
             const std::string& name,
             std::vector<std::string>& value,
             const std::string& help) const {
        Option option = command.add_list(name, value, help).type_name(shown);
        if (names)
            option.completes(names, NamesForm::list);
    }
};

template <class Range>
struct OptionNumberRule {
    Range range;
    const char* shown;

    template <class Target>
    void
    add(Command command, const std::string& name, Target& value, const std::string& help) const {
        Option option = command.add_option(name, value, range, help).type_name(shown);
        if constexpr (std::is_arithmetic_v<Target>)
            option.show_default();
    }
};

inline OptionNumberRule<WholeRange> whole_in(WholeRange range) {
    return {range, "N"};
}
inline OptionNumberRule<RealRange> real_in(RealRange range, const char* shown) {
    return {range, shown};
}
inline OptionNumberRule<RealRange> share() {
    return {any_share, "SHARE"};
}

/// One of the names of an enumeration, which are in its order.
struct ChoiceOptionRule {
    std::span<const std::string_view> names;

    template <class Enum>
    void add(Command command, const std::string& name, Enum& value, const std::string& help) const {
        command.add_choice<Enum>(name, value, names, help)
            .default_text(names[static_cast<std::size_t>(value)]);
    }
    template <class Enum>
    void add(Command command,
             const std::string& name,
             std::optional<Enum>& value,
             const std::string& help) const {
        command.add_choice<Enum>(name, value, names, help);
    }
};

inline ChoiceOptionRule choice(std::span<const std::string_view> names) {
    return {names};
}

/// A number with a unit of `dimension`; `make` turns its count into the member's value.
template <class Value>
struct MeasureRule {
    const Dimension& dimension;
    const char* shown;
    Zero zero;
    Value (*make)(std::int64_t count);

    template <class Target>
    void
    add(Command command, const std::string& name, Target& value, const std::string& help) const {
        const auto take = [&value, name, rule = *this](const std::string& text) {
            value = rule.make(quantity_of(text, rule.dimension, name, rule.zero));
            return std::string{};
        };
        command.add_parsed(name, take, help).type_name(shown);
    }
};

inline MeasureRule<ByteRate> byte_rate() {
    return {byte_rates, "RATE", Zero::refused, [](std::int64_t count) {
                return ByteRate{static_cast<double>(count)};
            }};
}
inline MeasureRule<Duration> time_span(const char* shown) {
    return {durations, shown, Zero::refused, [](std::int64_t ms) { return Duration{ms}; }};
}

}} // namespace bursar::tools
