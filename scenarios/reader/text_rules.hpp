#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/reader.hpp"

namespace bursar { inline namespace scenarios {

/// Any text that is not empty, as written: an unquoted 6214e9 is a name, not a number.
struct TextRule {
    using value_type = std::string;
    [[nodiscard]] std::optional<std::string> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

/// A text of one form, e.g. a date.
class PatternRule {
  public:
    using value_type = std::string;
    /// pattern: of the whole text, as has_form() takes them. what: "a date". example:
    /// "2017-10-09".
    PatternRule(std::string pattern, std::string what, std::string example)
        : pattern_{std::move(pattern)}, what_{std::move(what)}, example_{std::move(example)} {}
    [[nodiscard]] std::optional<std::string> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;

  private:
    std::string pattern_;
    std::string what_;
    std::string example_;
};

/// The name of a file, relative to the document that names it; not opened here.
struct FileRule {
    using value_type = std::string; ///< the path to open
    [[nodiscard]] std::optional<std::string> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

/// Yes or no, in every form of YAML tools: `yes`, `true`, `on`, in any capitals.
struct YesNoRule {
    using value_type = bool;
    [[nodiscard]] std::optional<bool> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

/// One of a list of names, or another spelling of it (meant_name()); the value is the name itself.
struct NameRule {
    using value_type = std::string;
    std::vector<std::string> names;
    [[nodiscard]] std::optional<std::string> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

/// A name from a list that is known only later: any text. The schema lists the names known now as
/// examples.
struct OpenNameRule {
    using value_type = std::string;
    std::vector<std::string> names;
    [[nodiscard]] std::optional<std::string> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

/// One of a closed set of alternatives, each with its name.
template <class T>
struct ChoiceRule {
    using value_type = T;
    std::vector<std::pair<std::string, T>> choices;

    [[nodiscard]] std::optional<T> read(const Reader& at) const {
        const std::optional<std::string> name = by_name().read(at);
        for (const auto& [known, value] : choices)
            if (known == name)
                return value;
        return std::nullopt;
    }
    [[nodiscard]] Schema schema() const { return by_name().schema(); }

  private:
    [[nodiscard]] NameRule by_name() const {
        NameRule rule;
        for (const auto& [name, value] : choices)
            rule.names.push_back(name);
        return rule;
    }
};

/// The names of an enumeration whose values count from 0.
template <class Choice, std::size_t N>
ChoiceRule<Choice> choice_of(const std::array<std::string_view, N>& names) {
    ChoiceRule<Choice> rule;
    for (std::size_t i = 0; i < N; ++i)
        rule.choices.emplace_back(names[i], static_cast<Choice>(i));
    return rule;
}

/// A mapping from names of the user's choice to texts.
struct TextMapRule {
    using value_type = std::map<std::string, std::string>;
    [[nodiscard]] std::optional<value_type> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

inline TextRule text() {
    return {};
}
inline FileRule file() {
    return {};
}
inline YesNoRule yes_or_no() {
    return {};
}
inline NameRule one_of(std::vector<std::string> names) {
    return {std::move(names)};
}
/// A name for paths and file names: [a-z0-9-]+.
PatternRule identifier();
/// A date: "2026-01-31".
PatternRule calendar_day();
/// A date with an optional time and an optional offset: "2017-10-09", "2017-10-09T12:00:00Z",
/// "2017-10-09 12:00 +08:00".
PatternRule instant();

}} // namespace bursar::scenarios
