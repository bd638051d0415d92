#include "scenarios/variants/variants.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/reader/decimal.hpp"
#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// A number and the text after it.
struct Part {
    Decimal number;
    std::string_view unit;
};

std::optional<Part> part_of(std::string_view text) {
    text = trimmed(text);
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto number = parse_decimal(text.substr(0, end));
    const std::string_view unit = trimmed(text.substr(end));
    // Brackets and the like belong to another kind of value; "16..32" is no number.
    if (!number || unit.find_first_of("[]{},:;\"'#") != std::string_view::npos)
        return std::nullopt;
    return Part{*number, unit};
}

std::int64_t power_of_ten(int exponent) {
    std::int64_t power = 1;
    for (int i = 0; i < exponent; ++i)
        power *= 10;
    return power;
}

[[noreturn]] void refuse(std::string_view text, std::string problem, std::string why) {
    throw ScenarioError{
        Finding{{"--vary"}, std::string{text}, std::move(problem), std::move(why), {}}};
}

/// The label of a value: `las, by: time` of `{name: las, by: time}`.
std::string label_of(std::string_view value) {
    if (value.starts_with('{') && value.ends_with('}'))
        value = trimmed(value.substr(1, value.size() - 2));
    constexpr std::string_view name = "name: ";
    return std::string{value.starts_with(name) ? value.substr(name.size()) : value};
}

/// "fleet[0].nodes" as "fleet.0.nodes.", so that a path is a prefix of the paths below it.
std::string dotted(std::string_view path) {
    std::string out;
    for (const char c : path)
        if (c != ']')
            out += c == '[' ? '.' : c;
    return out + '.';
}

/// Refuses equal paths and paths inside each other: the later one would undo the earlier.
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

/// Most values of an axis; more are probably a typing mistake.
constexpr std::uint64_t max_range = 1'000'000;

/// One `PATH=V1,V2,...`.
Axis parse_path(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string_view::npos)
        refuse({}, in_quotes(text) + " is not PATH=V1,V2,...", {});
    const std::string_view path = trimmed(text.substr(0, equals));
    const auto entries = split_list(text.substr(equals + 1));
    if (!entries)
        refuse(path, "brackets or quotes that do not match", std::string{text.substr(equals + 1)});
    Axis axis{std::string{path}, {}};
    for (const std::string& entry : *entries) {
        if (entry.empty())
            refuse(path, "an empty value", "values stand between commas");
        std::ranges::move(values_of(path, entry), std::back_inserter(axis.values));
        if (axis.values.size() > max_range)
            refuse(path, "too many values", fmt::format("at most {} of an axis", max_range));
    }
    return axis;
}

/// Visits the axis, then those that change with it.
template <class Visit>
void for_each_path(const Axis& axis, const Visit& visit) {
    visit(axis);
    for (const Axis& other : axis.with)
        visit(other);
}

} // namespace

std::uint64_t ValueRange::size() const {
    assert(step > 0);
    return last < first ? 0 : static_cast<std::uint64_t>((last - first) / step) + 1;
}

std::string ValueRange::value(std::uint64_t i) const {
    const std::int64_t number = first + static_cast<std::int64_t>(i) * step;
    const std::int64_t one = power_of_ten(decimals);
    std::string text = std::to_string(number / one);
    if (number % one != 0) {
        text += fmt::format(".{:0{}}", number % one, decimals);
        text.erase(text.find_last_not_of('0') + 1);
    }
    return text + unit;
}

std::optional<ValueRange> parse_value_range(std::string_view text) {
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos)
        return std::nullopt;
    const std::size_t colon = text.find(':', dots);
    const bool has_step = colon != std::string_view::npos;
    const auto first = part_of(text.substr(0, dots));
    const auto last = part_of(text.substr(dots + 2, has_step ? colon - dots - 2 : colon));
    const auto step = has_step ? part_of(text.substr(colon + 1)) : last;
    if (!first || !last || !step)
        return std::nullopt;
    ValueRange range;
    for (const Part& part : {*first, *last, *step}) {
        range.decimals = std::max(range.decimals, part.number.decimals);
        if (part.unit.empty())
            continue;
        const std::string unit = fmt::format(" {}", part.unit);
        if (!range.unit.empty() && range.unit != unit)
            return std::nullopt;
        range.unit = unit;
    }
    std::array<std::optional<std::int64_t>, 3> scaled;
    std::ranges::transform(std::array{*first, *last, *step}, scaled.begin(), [&](const Part& part) {
        return part.number.times(power_of_ten(range.decimals));
    });
    if (!scaled[0] || !scaled[1] || !scaled[2])
        return std::nullopt;
    range.first = *scaled[0];
    range.last = *scaled[1];
    range.step = has_step ? *scaled[2] : 0;
    return range;
}

std::vector<std::string> values_of(std::string_view path, std::string_view entry) {
    const auto range = parse_value_range(entry);
    if (!range || entry.find(':') == std::string_view::npos)
        return {std::string{entry}};
    if (range->step == 0 || range->size() == 0)
        refuse(path,
               in_quotes(entry) + " has no values",
               range->step == 0 ? "its step is 0" : "it ends before it begins");
    if (range->size() > max_range)
        refuse(path,
               fmt::format("{} has {} values", in_quotes(entry), range->size()),
               fmt::format("at most {} of an axis", max_range));
    std::vector<std::string> values;
    for (std::uint64_t i = 0; i < range->size(); ++i)
        values.push_back(range->value(i));
    return values;
}

Axis parse_axis(std::string_view text) {
    const auto paths = split_list(text, ';');
    if (!paths)
        refuse(trimmed(text.substr(0, std::min(text.find('='), text.size()))),
               "brackets or quotes that do not match",
               std::string{text.substr(std::min(text.find('='), text.size() - 1) + 1)});
    Axis axis = parse_path(paths->front());
    for (std::size_t i = 1; i < paths->size(); ++i) {
        axis.with.push_back(parse_path((*paths)[i]));
        const Axis& other = axis.with.back();
        if (other.values.size() != axis.values.size())
            refuse(other.path,
                   fmt::format("{} values, where {} has {}",
                               other.values.size(),
                               axis.path,
                               axis.values.size()),
                   "paths that change together have equally many");
    }
    return axis;
}

VariantGrid::VariantGrid(std::vector<Axis> axes) : axes_{std::move(axes)} {
    std::vector<std::string_view> paths;
    for (const Axis& axis : axes_) {
        for_each_path(axis, [&](const Axis& one) {
            if (dotted(one.path).starts_with("sweep."))
                refuse(one.path, "would have no effect", "`sweep` is no part of what is run");
            for (const std::string_view earlier : paths)
                check_overlap(earlier, one.path);
            paths.push_back(one.path);
        });
        constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
        const std::uint64_t values = axis.values.size();
        size_ = values > 0 && size_ > most / values ? most : size_ * values;
    }
}

Variant VariantGrid::at(std::uint64_t i) const {
    Variant variant;
    std::uint64_t stride = size_;
    for (std::size_t n = 0; n < axes_.size(); ++n) {
        stride /= axes_[n].values.size();
        const auto value = static_cast<std::size_t>(i / stride % axes_[n].values.size());
        for_each_path(axes_[n], [&](const Axis& one) {
            variant.label += (variant.sets.empty() ? "" : ", ") + label_of(one.values[value]);
            variant.sets.push_back(
                {one.path,
                 one.values[value],
                 one.origins.empty() ? fmt::format("--vary {}", n + 1) : one.origins[value],
                 one.directory});
        });
    }
    return variant;
}

std::vector<Variant> all_variants(std::span<const Axis> axes) {
    const VariantGrid grid{{axes.begin(), axes.end()}};
    if (grid.size() > max_variants)
        refuse(axes.back().path,
               "too many combinations",
               fmt::format("at most {} are compared", max_variants));
    if (grid.size() < 2)
        refuse({}, "nothing to compare", "a path needs two values or more");
    std::vector<Variant> variants;
    for (std::uint64_t i = 0; i < grid.size(); ++i)
        variants.push_back(grid.at(i));
    return variants;
}

void label_variants(std::vector<Variant>& variants, std::span<const std::string> labels) {
    const auto refuse_labels = [](std::string problem, std::string why) {
        throw ScenarioError{Finding{{"--labels"}, {}, std::move(problem), std::move(why), {}}};
    };
    if (labels.size() != variants.size())
        refuse_labels(fmt::format("{} {} for {} variants",
                                  labels.size(),
                                  labels.size() == 1 ? "label" : "labels",
                                  variants.size()),
                      fmt::format("one for each, in their order: the first is {}, the last is {}",
                                  in_quotes(variants.front().label),
                                  in_quotes(variants.back().label)));
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const std::string_view label = without_quotes(labels[i]);
        if (trimmed(label).empty())
            refuse_labels("an empty label", "labels stand between commas");
        const auto labelled = std::span{variants}.first(i);
        if (std::ranges::find(labelled, label, &Variant::label) != labelled.end())
            refuse_labels(in_quotes(label) + " comes twice", "labels of variants must differ");
        variants[i].label = label;
    }
}

}} // namespace bursar::scenarios
