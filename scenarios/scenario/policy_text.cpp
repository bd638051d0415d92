#include "scenarios/scenario/policy_text.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The largest unit in which all `values` are whole; the smallest unit if there is none.
const Unit& common_unit(std::span<const Unit> units, std::span<const std::int64_t> values) {
    const Unit* best = units.data();
    for (const Unit& unit : units) {
        const bool whole =
            std::ranges::all_of(values, [&](std::int64_t value) { return value % unit.size == 0; });
        const bool zero =
            std::ranges::all_of(values, [](std::int64_t value) { return value == 0; });
        if (whole && !zero && unit.size > best->size)
            best = &unit;
    }
    return *best;
}

/// The units for times of an option: no weeks or years.
std::span<const Unit> shown_units(const Dimension& dimension) {
    const auto longest = std::ranges::find_if(
        dimension.units, [](const Unit& unit) { return unit.size >= day.count(); });
    return dimension.units.first(static_cast<std::size_t>(longest - dimension.units.begin()) + 1);
}

std::string
with_unit(const Dimension& dimension, std::int64_t value, std::span<const std::int64_t> beside) {
    const Unit& unit = common_unit(shown_units(dimension), beside);
    const std::int64_t whole = value / unit.size;
    if (whole * unit.size == value)
        return fmt::format("{} {}", whole, unit.name);
    return fmt::format(
        "{} {}", static_cast<double>(value) / static_cast<double>(unit.size), unit.name);
}

std::string
text_beside(const OptionInfo& option, std::int64_t value, std::span<const std::int64_t> beside) {
    switch (option.kind) {
    case OptionKind::duration:
        return with_unit(durations, value, beside);
    case OptionKind::gpu_time:
        return with_unit(gpu_times, value, beside);
    case OptionKind::milli:
        return milli_text(value);
    case OptionKind::choice:
        return std::string{option.choices[value]};
    case OptionKind::gpu_time_file:
    case OptionKind::count:
        break;
    }
    if (option.max_is_no_limit && value == option.max)
        return std::string{no_limit_word};
    return fmt::format("{}", value);
}

} // namespace

std::string duration_text(Duration span) {
    const std::int64_t ms = span.count();
    return with_unit(durations, ms, std::span{&ms, 1});
}

std::string option_text(const OptionInfo& option, std::int64_t value) {
    return text_beside(option, value, std::span{&value, 1});
}

std::string option_text(const OptionInfo& option, std::span<const std::int64_t> values) {
    if (option.kind == OptionKind::gpu_time_file)
        return fmt::format("{} GPU times", values.size());
    std::vector<std::string> texts;
    for (const std::int64_t value : values)
        texts.push_back(text_beside(option, value, values));
    return option.is_list ? fmt::format("[{}]", fmt::join(texts, ", ")) : texts.front();
}

bool has_default(const OptionInfo& option) {
    return option.kind != OptionKind::gpu_time_file && option.fallback.size > 0;
}

std::string default_text(const OptionInfo& option) {
    if (!has_default(option))
        return "none";
    return option_text(option, std::span{option.fallback.values, option.fallback.size});
}

std::string range_text(const OptionInfo& option) {
    if (option.kind == OptionKind::choice) {
        std::vector<std::string> words;
        for (const std::string_view word : option.choices)
            if (!word.empty())
                words.emplace_back(word);
        return fmt::format("{}", fmt::join(words, ", "));
    }
    if (option.kind == OptionKind::gpu_time_file)
        return "a file";
    const std::string min = option_text(option, option.min);
    if (option.max_is_no_limit)
        return fmt::format("at least {}, or {}", min, no_limit_word);
    if (option.max == OptionInfo{}.max)
        return "at least " + min;
    return fmt::format("{} to {}", min, option_text(option, option.max));
}

bool has_meaning_by_default(const PolicyInfo& policy, const OptionInfo& option) {
    if (!has_default(option))
        return false;
    const OptionInfo* decider = option_of(policy, option.only_with);
    return decider == nullptr || decider->fallback.values[0] == option.only_with_value;
}

std::string policy_text(const PolicyInfo& policy, const PolicyOptions& given) {
    if (given.given().empty())
        return std::string{policy.name};
    std::string text = fmt::format("{{name: {}", policy.name);
    for (const OptionInfo& option : policy.options)
        if (const auto at = given.given().find(option.name); at != given.given().end())
            text += fmt::format(", {}: {}", option.name, option_text(option, at->second));
    return text + '}';
}

}} // namespace bursar::scenarios
