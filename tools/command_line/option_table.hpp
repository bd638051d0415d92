#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/reader/quantity_rule.hpp"

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// Adds the options of one row, which fill members of a struct. (A `std::function` for each type of
/// row in its place takes half as long again to compile.)
class OptionRow {
  public:
    OptionRow() = default;
    OptionRow(const OptionRow&) = delete;
    OptionRow& operator=(const OptionRow&) = delete;
    virtual ~OptionRow() = default;
    virtual void add(Command command, void* filled, const std::string& help) const = 0;
};

/// An option table without the type that it fills.
class OptionRows {
  public:
    struct Row {
        std::shared_ptr<const OptionRow> option;
        std::string help;
    };

    void add(Row row) { rows_.push_back(std::move(row)); }
    void require(std::string option);
    void need(std::string option, std::string other);
    void exclude(std::string option, std::vector<std::string> others);
    void describe(std::string option, std::string help);
    void remove(std::string option);

    void add_to(Command command, void* filled) const;

  private:
    std::vector<Row> rows_;
    std::vector<std::function<void(Command)>> changes_; ///< after all rows, in this order
};

/// The options of a command that fill a T, one row each: name, member, values taken, meaning. The
/// command line, help texts, manual pages, completions and errors follow from the rows. Help texts
/// show the default of a member that is not optional.
template <class T>
class OptionTable {
  public:
    /// An option without its meaning.
    struct Values {
        template <class Member, class Rule>
        Values(std::string name, Member T::*member, Rule rule)
            : option{made([name = std::move(name), member, rule = std::move(rule)](
                              Command command, T& value, const std::string& help) {
                  rule.add(command, name, value.*member, help);
              })} {}

        std::shared_ptr<const OptionRow> option;
    };
    struct Row : OptionRows::Row {
        Row(Values values, std::string meaning)
            : OptionRows::Row{std::move(values.option), std::move(meaning)} {}
        /// A flag.
        Row(std::string name, bool T::*member, std::string meaning)
            : OptionRows::Row{made([name = std::move(name),
                                    member](Command command, T& value, const std::string& text) {
                                  command.add_flag(name, value.*member, text);
                              }),
                              std::move(meaning)} {}
        /// Every option of a part.
        template <class Part>
        Row(Part T::*member, OptionTable<Part> table)
            : OptionRows::Row{made([member, table = std::move(table)](
                                       Command command, T& value, const std::string&) {
                                  table.add_to(command, value.*member);
                              }),
                              {}} {}
    };

    explicit OptionTable(std::initializer_list<Row> rows) {
        for (const OptionRows::Row& row : rows)
            rows_.add(row);
    }

    OptionTable&& required(std::string option) && {
        rows_.require(std::move(option));
        return std::move(*this);
    }
    /// `option` is refused without `other`.
    OptionTable&& needs(std::string option, std::string other) && {
        rows_.need(std::move(option), std::move(other));
        return std::move(*this);
    }
    /// `option` is refused together with any of the others.
    OptionTable&& excludes(std::string option, std::vector<std::string> others) && {
        rows_.exclude(std::move(option), std::move(others));
        return std::move(*this);
    }
    /// Replaces the description of an option of a part.
    OptionTable&& describe(std::string option, std::string help) && {
        rows_.describe(std::move(option), std::move(help));
        return std::move(*this);
    }
    /// Removes an option of a part.
    OptionTable&& without(std::string option) && {
        rows_.remove(std::move(option));
        return std::move(*this);
    }

    /// `value` must live as long as the program.
    void add_to(Command command, T& value) const { rows_.add_to(command, &value); }

  private:
    template <class Add>
    static std::shared_ptr<const OptionRow> made(Add add) {
        struct Made final : OptionRow {
            explicit Made(Add add) : add_{std::move(add)} {}
            void add(Command command, void* filled, const std::string& help) const override {
                add_(command, *static_cast<T*>(filled), help);
            }
            Add add_;
        };
        const OptionRow* row = new Made{std::move(add)};
        return std::shared_ptr<const OptionRow>{row};
    }

    OptionRows rows_;
};

/// The rows as a table, in the order of the help text.
template <class T>
OptionTable<T> option_table(std::initializer_list<typename OptionTable<T>::Row> rows) {
    return OptionTable<T>{rows};
}

/// Any text. shown: what help texts call the value ("FILE"); null for an argument without dashes.
struct TextRule {
    const char* shown;
    Names names{}; ///< that completions offer
    NamesForm form{};
    bool one_value_each{}; ///< as Option::one_value_each()
    bool refuses_empty{};

    template <class Target> // std::string, or a vector of them
    void
    add(Command command, const std::string& name, Target& value, const std::string& help) const {
        Option option = command.add_option(name, value, help);
        if (shown != nullptr)
            option.type_name(shown);
        if (names || form == NamesForm::setting)
            option.completes(names, form);
        if (one_value_each)
            option.one_value_each();
        if (refuses_empty)
            option.check(not_empty());
        if (!value.empty())
            option.show_default();
    }
};

/// A positional argument ("FILE").
inline TextRule argument() {
    return {.shown = nullptr, .refuses_empty = true};
}
inline TextRule word(const char* shown) {
    return {shown};
}
/// One value each time that the option is given: --set A=1 --set B=2.
inline TextRule repeated(const char* shown, Names names = {}, NamesForm form = {}) {
    return {shown, std::move(names), form, true};
}
inline TextRule file_name() {
    return {.shown = "FILE", .refuses_empty = true};
}
inline TextRule folder_name() {
    return {.shown = "DIR", .refuses_empty = true};
}
/// A name that the command looks up itself.
inline TextRule name_among(Names names) {
    return {"NAME", std::move(names)};
}

/// One of these texts, in any of their spellings.
struct KnownTextRule {
    std::string shown;
    std::vector<std::string> names;

    void add(Command command,
             const std::string& name,
             std::string& value,
             const std::string& help) const {
        Option option = command.add_option(name, value, help).one_of_words(names).type_name(shown);
        if (!value.empty())
            option.show_default();
    }
};

/// The same; help texts list the texts.
inline KnownTextRule one_of_texts(std::vector<std::string> names) {
    std::string shown = fmt::format("{}", fmt::join(names, "|"));
    return {std::move(shown), std::move(names)};
}

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

template <class Target>
struct NumberOf {
    using type = Target;
};
template <class Target>
struct NumberOf<std::optional<Target>> {
    using type = Target;
};

template <class Range>
struct OptionNumberRule {
    Range range;
    const char* shown;

    template <class Target>
    void
    add(Command command, const std::string& name, Target& value, const std::string& help) const {
        const auto take = [&value, range = range](const std::string& text) {
            std::remove_const_t<decltype(range.min)> number{};
            std::string wrong = read_number(text, range, number);
            if (wrong.empty())
                value = static_cast<typename NumberOf<Target>::type>(number);
            return wrong;
        };
        Option option = command.add_parsed(name, take, help).type_name(shown);
        if constexpr (std::is_arithmetic_v<Target>)
            option.default_text(fmt::to_string(value));
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

/// A text that `read` turns into the member's value, or refuses with an exception. It is given the
/// name of the option for messages.
template <class Value>
struct ParsedRule {
    const char* shown;
    Value (*read)(const std::string& text, const std::string& option);

    template <class Target>
    void
    add(Command command, const std::string& name, Target& value, const std::string& help) const {
        const auto take = [&value, name, read = read](const std::string& text) {
            value = read(text, name);
            return std::string{};
        };
        command.add_parsed(name, take, help).type_name(shown);
    }
};

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
/// A time, above zero.
inline MeasureRule<Duration> time_span(const char* shown) {
    return {durations, shown, Zero::refused, [](std::int64_t ms) { return Duration{ms}; }};
}

/// Adds a subcommand: its options fill an Options, for which `act` is called (a function, or a
/// member of Options). One that is not expected has only its name and help.
template <class Options, class Acting>
Command add_command(Command above,
                    const std::string& name,
                    const std::string& help,
                    const OptionTable<Options>& table,
                    const Acting& act) {
    Command command = above.add_subcommand(name, help);
    if (!command.is_expected())
        return command;
    const auto options = std::make_shared<Options>();
    table.add_to(command, *options);
    command.callback([options, act] { std::invoke(act, *options); });
    return command;
}

}} // namespace bursar::tools
