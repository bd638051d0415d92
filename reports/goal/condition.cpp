#include "reports/goal/condition.hpp"

#include <array>
#include <charconv>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {
namespace {

std::string_view without_blanks(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

const ScalarRow* metric_of(std::string_view name) {
    for (const auto& [shorter, full] : condition_short_names)
        if (name == shorter)
            return find_scalar(full);
    return find_metric(name);
}

void read_amount(std::string_view amount, Condition& condition) {
    const bool is_negative = amount.starts_with('-');
    condition.has_sign = is_negative || amount.starts_with('+');
    amount.remove_prefix(condition.has_sign ? 1 : 0);
    if (amount.empty() || amount.front() < '0' || amount.front() > '9') // nor "nan", nor "+-1"
        return;
    const char* last = amount.data() + amount.size();
    double size = 0;
    const auto [end, error] =
        std::from_chars(amount.data(), last, size, std::chars_format::fixed); // not 0x5, nor 1e3
    if (error != std::errc{})
        return;
    condition.number = is_negative ? -size : size;
    condition.unit = without_blanks({end, static_cast<std::size_t>(last - end)});
}

} // namespace

std::optional<double> unit_factor(std::string_view unit, ScalarKind kind) {
    static constexpr std::array<std::pair<std::string_view, double>, 6> times{
        {{"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}, {"w", 604800}}};
    if (kind == ScalarKind::seconds) {
        for (const auto& [name, seconds] : times)
            if (unit == name)
                return seconds;
        return std::nullopt;
    }
    if (kind == ScalarKind::ratio && unit == "%")
        return 0.01;
    const bool is_its_own =
        unit.empty() || unit == unit_of(kind) || (kind == ScalarKind::rate && unit == "USD/gpu-h");
    return is_its_own ? std::optional{1.0} : std::nullopt;
}

std::optional<Condition>
parse_condition(std::string_view text, std::string_view example, ConditionMistake& mistake) {
    const std::size_t at = text.find_first_of("<>");
    if (at == std::string_view::npos) {
        mistake.why =
            fmt::format("expected a metric, < or >, and a number, such as \"{}\"", example);
        return std::nullopt;
    }
    Condition condition;
    const std::string name{without_blanks(text.substr(0, at))};
    condition.metric = metric_of(name);
    if (condition.metric == nullptr) {
        mistake = {fmt::format("\"{}\" is no metric", name), name};
        return std::nullopt;
    }
    condition.is_less = text[at] == '<';
    condition.is_strict = text.substr(at + 1, 1) != "=";
    condition.text = without_blanks(text);
    condition.amount = without_blanks(text.substr(at + (condition.is_strict ? 1 : 2)));
    read_amount(condition.amount, condition);
    return condition;
}

}} // namespace bursar::reports
