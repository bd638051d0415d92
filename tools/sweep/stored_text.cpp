#include "tools/sweep/stored_text.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bursar { inline namespace tools {
namespace {

constexpr MoneyRate varying_rate{-1}; ///< stands for a price that changes with time

/// The numbers in a text, whatever separates them.
std::vector<std::int64_t> numbers_of(std::string_view text) {
    std::vector<std::int64_t> numbers;
    const char* const end = text.data() + text.size();
    for (const char* at = text.data(); at < end;) {
        std::int64_t number{};
        const auto [next, error] = std::from_chars(at, end, number);
        if (error == std::errc{})
            numbers.push_back(number);
        at = std::max(next, at + 1);
    }
    return numbers;
}

} // namespace

std::string hex_of(std::uint64_t hash) {
    return fmt::format("{:016x}", hash);
}

std::uint64_t hash_from(std::string_view text) {
    std::uint64_t hash{};
    std::from_chars(text.data(), text.data() + text.size(), hash, 16);
    return hash;
}

std::string kept_text(std::span<const KeptCapacity> kept) {
    std::string out;
    for (const KeptCapacity& pool : kept)
        out += fmt::format("{}{} {} {} {}",
                           out.empty() ? "" : "; ",
                           static_cast<int>(pool.purchase),
                           pool.gpus,
                           pool.rate.value_or(varying_rate).count(),
                           pool.step.count());
    return out;
}

std::optional<std::vector<KeptCapacity>> kept_of(std::string_view text) {
    constexpr auto last_purchase = static_cast<std::int64_t>(Purchase::reserved);
    std::vector<KeptCapacity> kept;
    const std::vector<std::int64_t> numbers = numbers_of(text);
    for (std::size_t i = 0; i + 3 < numbers.size(); i += 4) {
        if (numbers[i] < 0 || numbers[i] > last_purchase || numbers[i + 3] < 1)
            return std::nullopt;
        const MoneyRate rate{numbers[i + 2]};
        kept.push_back({static_cast<Purchase>(numbers[i]),
                        numbers[i + 1],
                        rate == varying_rate ? std::nullopt : std::optional{rate},
                        Duration{numbers[i + 3]}});
    }
    return kept;
}

std::string axes_text(const SweepTable& table) {
    std::vector<std::size_t> axis_of(table.paths.size());
    for (std::size_t axis = 0; axis < table.axes.size(); ++axis)
        for (const std::size_t path : table.axes[axis])
            axis_of[path] = axis;
    return fmt::format("{}", fmt::join(axis_of, " "));
}

std::vector<std::vector<std::size_t>> axes_of(std::string_view text) {
    std::vector<std::vector<std::size_t>> axes;
    const std::vector<std::int64_t> axis_of = numbers_of(text);
    for (std::size_t path = 0; path < axis_of.size(); ++path) {
        const auto axis = static_cast<std::size_t>(axis_of[path]);
        if (axis > axes.size()) // or negative
            return {};
        axes.resize(std::max(axes.size(), axis + 1));
        axes[axis].push_back(path);
    }
    return axes;
}

std::string question_text(const SweepQuestion& question) {
    std::vector<std::string_view> names;
    for (const ScalarRow* metric : question.metrics)
        names.push_back(metric->name);
    return fmt::format("{} {}{}",
                       question.best,
                       fmt::join(names, ","),
                       question.goal ? " " + question.goal->text : std::string{});
}

std::optional<SweepQuestion> question_of(std::string_view text) {
    const std::size_t metrics_at = std::min(text.find(' '), text.size());
    const std::size_t goal_at = std::min(text.find(' ', metrics_at + 1), text.size());
    SweepQuestion question;
    if (std::from_chars(text.data(), text.data() + metrics_at, question.best).ptr !=
            text.data() + metrics_at ||
        question.best < 1)
        return std::nullopt;
    for (std::size_t at = metrics_at + 1; at < goal_at;) {
        const std::size_t end = std::min(text.find(',', at), goal_at);
        const std::string_view name = text.substr(at, end - at);
        question.metrics.push_back(name == common_end_cost().name ? &common_end_cost()
                                                                  : find_scalar(name));
        if (question.metrics.back() == nullptr)
            return std::nullopt;
        at = end + 1;
    }
    if (goal_at < text.size()) {
        ConditionMistake mistake;
        question.goal = parse_goal(text.substr(goal_at), mistake);
        if (!question.goal)
            return std::nullopt;
    }
    return question.metrics.empty() ? std::nullopt : std::optional{std::move(question)};
}

}} // namespace bursar::tools
