#include "scenarios/variants/variants.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/reader/split_list.hpp"

namespace bursar::inline scenarios {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string problem, std::string why) {
    throw ScenarioError{
        Finding{{"--vary"}, std::string{text}, std::move(problem), std::move(why), {}}};
}

/// `{name: las, by: time}` reads better as `las, by: time`.
std::string label_of(std::string_view value) {
    if (value.starts_with('{') && value.ends_with('}'))
        value = trimmed(value.substr(1, value.size() - 2));
    constexpr std::string_view name = "name: ";
    return std::string{value.starts_with(name) ? value.substr(name.size()) : value};
}

/// "fleet[0].nodes" as "fleet.0.nodes.", so that a path is the beginning of those below it.
std::string dotted(std::string_view path) {
    std::string out;
    for (const char c : path)
        if (c != ']')
            out += c == '[' ? '.' : c;
    return out + '.';
}

/// Refuses paths of which one is, or holds, the other: the later would undo the earlier.
void check_overlap(std::string_view earlier, std::string_view later) {
    if (earlier == later)
        refuse(later, "is varied twice", "one --vary gives all values of a path");
    const std::string a = dotted(earlier);
    const std::string b = dotted(later);
    if (a.starts_with(b) || b.starts_with(a))
        refuse(later,
               "overlaps with " + in_quotes(earlier),
               "one of them would undo the other, and variants be called what they are not");
}

} // namespace

Axis parse_axis(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string_view::npos)
        refuse({}, in_quotes(text) + " is not PATH=V1,V2,...", {});
    const std::string_view path = text.substr(0, equals);
    auto values = split_list(text.substr(equals + 1));
    if (!values)
        refuse(path, "brackets or quotes that do not match", std::string{text.substr(equals + 1)});
    if (std::ranges::find(*values, std::string{}) != values->end())
        refuse(path, "an empty value", "values stand between commas");
    return {std::string{path}, std::move(*values)};
}

std::vector<Variant> all_variants(std::span<const Axis> axes) {
    std::vector<Variant> variants(1);
    for (std::size_t n = 0; n < axes.size(); ++n) {
        const Axis& axis = axes[n];
        for (const Axis& earlier : axes.first(n))
            check_overlap(earlier.path, axis.path);
        if (variants.size() * axis.values.size() > max_variants)
            refuse(axis.path,
                   "too many combinations",
                   fmt::format("at most {} are compared", max_variants));
        std::vector<Variant> wider;
        for (const Variant& variant : variants)
            for (const std::string& value : axis.values) {
                Variant& next = wider.emplace_back(variant);
                next.label += (n == 0 ? "" : ", ") + label_of(value);
                next.sets.push_back({axis.path, value, fmt::format("--vary {}", n + 1)});
            }
        variants = std::move(wider);
    }
    if (variants.size() < 2)
        refuse({}, "nothing to compare", "a path needs two values or more");
    return variants;
}

} // namespace bursar::inline scenarios
