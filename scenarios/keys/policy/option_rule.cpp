#include "scenarios/keys/policy/option_rule.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "scenarios/document/canonical_hash.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/scenario/policy_text.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/text/line_reader.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The GPU times of a file, one a line with its unit ("3.5 gpu-h"), in GPU-ms; empty lines are
/// skipped. May be gzip or zstd. Throws ScenarioError with file and line for a file that cannot be
/// read, a line that is no GPU time, and for none or more than 10 million of them.
std::vector<std::int64_t> read_gpu_times(const std::string& path) {
    constexpr std::size_t max_lines = 10'000'000;
    const std::unique_ptr<ByteSource> bytes = open_bytes(path);
    LineReader lines{*bytes, path};
    std::vector<std::int64_t> out;
    while (const std::optional<std::string_view> line = lines.next()) {
        if (line->find_first_not_of(" \t") == std::string_view::npos)
            continue;
        if (out.size() == max_lines)
            throw ScenarioError{{{path, lines.line()},
                                 "",
                                 fmt::format("more than {} GPU times", max_lines),
                                 "",
                                 ""}};
        out.push_back(quantity_of(*line, gpu_times, fmt::format("{}:{}", path, lines.line())));
    }
    if (out.empty())
        throw ScenarioError{
            {path, "", "no GPU time", "expected one a line, such as 3.5 gpu-h", ""}};
    return out;
}

constexpr std::int64_t no_bound = std::numeric_limits<std::int64_t>::max();

std::vector<std::string> words_of(const OptionInfo& option) {
    std::vector<std::string> words;
    for (const std::string_view word : option.choices)
        if (!word.empty())
            words.emplace_back(word);
    return words;
}

const Dimension& dimension_of(const OptionInfo& option) {
    return option.kind == OptionKind::gpu_time ? gpu_times : durations;
}

} // namespace

std::optional<std::int64_t> OptionRule::read_number(const Reader& at) const {
    switch (option.kind) {
    case OptionKind::duration:
    case OptionKind::gpu_time: {
        const std::optional<Measure> measure =
            read_measure(at, dimension_of(option), Zero::allowed);
        return measure ? std::optional{measure->count} : std::nullopt;
    }
    case OptionKind::milli:
        return MilliRule{0, no_bound}.read(at);
    case OptionKind::choice: {
        const std::vector<std::string> words = words_of(option);
        const std::optional<std::string> word = one_of(words).read(at);
        return word ? std::optional{std::ranges::find(words, *word) - words.begin()} : std::nullopt;
    }
    case OptionKind::gpu_time_file:
    case OptionKind::count:
        break;
    }
    if (option.max_is_no_limit && at.node().text == no_limit_word)
        return option.max;
    return whole_number(-no_bound, no_bound).read(at);
}

std::optional<std::int64_t> OptionRule::read_one(const Reader& at) const {
    const std::optional<std::int64_t> number = read_number(at);
    if (!number || option.kind == OptionKind::choice)
        return number;
    if (*number < option.min)
        return at.mistake(in_quotes(at.node().text) + " is too small", range_text(option));
    if (*number > option.max)
        return at.mistake(in_quotes(at.node().text) + " is too large", range_text(option));
    return number;
}

std::optional<OptionRule::value_type> OptionRule::read_file(const Reader& at) {
    const std::optional<std::string> path = FileRule{}.read(at);
    if (!path)
        return std::nullopt;
    try {
        value_type times = read_gpu_times(*path);
        std::uint64_t content = times.size();
        for (const std::int64_t time : times)
            content = combined_hash(content, static_cast<std::uint64_t>(time));
        at.names_content(content);
        return times;
    } catch (const ScenarioError& error) {
        return at.mistake(in_quotes(at.node().text) + " cannot be used", error.what());
    }
}

std::optional<OptionRule::value_type> OptionRule::read(const Reader& at) const {
    if (option.kind == OptionKind::gpu_time_file)
        return read_file(at);
    const Node& node = at.node();
    if (!option.is_list || node.kind != NodeKind::sequence) {
        const std::optional<std::int64_t> number = read_one(at);
        return number ? std::optional{value_type{*number}} : std::nullopt;
    }
    if (node.items.empty() || node.items.size() > FewNumbers::max)
        return at.mistake(fmt::format("a list of {}", node.items.size()),
                          fmt::format("expected 1 to {} values", FewNumbers::max));
    value_type list;
    for (std::size_t i = 0; i < node.items.size(); ++i)
        if (const std::optional<std::int64_t> number = read_one(at.element(i)))
            list.push_back(*number);
    if (list.size() != node.items.size())
        return std::nullopt;
    if (option.kind == OptionKind::choice) {
        for (std::size_t i = 1; i < list.size(); ++i)
            if (std::find(list.begin(), list.begin() + i, list[i]) != list.begin() + i)
                return at.element(i).mistake(in_quotes(node.items[i].text) + " is named twice");
        return list;
    }
    for (std::size_t i = 1; i < list.size(); ++i)
        if (list[i] <= list[i - 1])
            return at.element(i).mistake(in_quotes(node.items[i].text) +
                                             " is not above the value before it",
                                         "each limit is");
    return list;
}

Schema OptionRule::one_schema() const {
    switch (option.kind) {
    case OptionKind::duration:
    case OptionKind::gpu_time:
        return measure_schema(dimension_of(option), option.min > 0 ? Zero::refused : Zero::allowed);
    case OptionKind::milli:
        return MilliRule{option.min, option.max}.schema();
    case OptionKind::choice:
        return one_of(words_of(option)).schema();
    case OptionKind::gpu_time_file:
        return FileRule{}.schema();
    case OptionKind::count:
        break;
    }
    const Schema number = whole_number(option.min, option.max).schema();
    if (!option.max_is_no_limit)
        return number;
    return {{"anyOf", {number, {{"const", std::string{no_limit_word}}}}}};
}

Schema OptionRule::schema() const {
    if (!option.is_list)
        return one_schema();
    return {{"anyOf",
             {one_schema(),
              {{"type", "array"},
               {"minItems", 1},
               {"maxItems", FewNumbers::max},
               {"items", one_schema()}}}}};
}

}} // namespace bursar::scenarios
