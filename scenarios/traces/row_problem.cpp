#include "scenarios/traces/row_problem.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/traces/text/numbers.hpp"

namespace bursar { inline namespace scenarios {
namespace {

bool is_not_finite(std::string_view text) {
    std::string word = lower_case(text.substr(0, 12));
    if (word.starts_with('-') || word.starts_with('+'))
        word.erase(0, 1);
    constexpr std::array<std::string_view, 5> words{"nan", "inf", "infinity", "null", "none"};
    return std::ranges::find(words, word) != words.end();
}

bool is_negative(std::string_view text) {
    return text.starts_with('-') && parse_seconds(text.substr(1)).has_value();
}

bool is_all_digits(std::string_view text) {
    return text.find_first_not_of("0123456789") == std::string_view::npos;
}

} // namespace

Finding seconds_problem(std::string_view text) {
    if (text.empty())
        return mistake("missing", "seconds are needed");
    if (is_not_finite(text))
        return mistake(in_quotes(text) + " is not a finite number");
    if (is_negative(text))
        return mistake("negative time " + in_quotes(text));
    const std::string_view whole = text.substr(0, text.find('.'));
    if (is_all_digits(whole) && whole.size() > max_second_digits)
        return mistake(in_quotes(text) + " is too large", "at most 999999999999 s");
    return mistake(in_quotes(text) + " is not a number of seconds");
}

Finding epoch_ms_problem(std::string_view text) {
    if (text.empty())
        return mistake("missing", "milliseconds since 1970 are needed");
    if (is_negative(text))
        return mistake("negative time " + in_quotes(text));
    return mistake(in_quotes(text) + " is not a number of milliseconds since 1970");
}

Finding timestamp_problem(std::string_view text) {
    if (text.empty())
        return mistake("missing", "a date and time is needed");
    if (is_not_finite(text))
        return mistake(in_quotes(text) + " is not a date and time");
    return mistake(in_quotes(text) + " is not a date and time",
                   "expected e.g. \"2017-10-09 07:01:55\"");
}

Finding gpus_problem(std::string_view text) {
    if (text.empty())
        return mistake("missing", "a number of GPUs is needed");
    if (parse_count(text) == 0)
        return mistake("no GPUs (0)", {}, "`select: {gpus: 1..}` leaves CPU jobs out");
    if (is_not_finite(text))
        return mistake(in_quotes(text) + " is not a finite number");
    if (is_negative(text))
        return mistake("negative number of GPUs " + in_quotes(text));
    if (is_all_digits(text))
        return mistake(in_quotes(text) + " is too large", "at most 4294967295 GPUs");
    if (parse_seconds(text))
        return mistake(in_quotes(text) + " is not a whole number of GPUs",
                       "use gpu_milli for a share of a GPU");
    return mistake(in_quotes(text) + " is not a number of GPUs");
}

Finding gpu_milli_problem(std::string_view text) {
    if (text.empty())
        return mistake("missing", "thousandths of a GPU are needed, 1..1000");
    return mistake(in_quotes(text) + " is outside 1..1000", "thousandths of a GPU, per GPU");
}

Finding amount_problem(std::string_view text) {
    if (text.empty())
        return mistake("missing", "a whole number is needed, 0 for none");
    return mistake(in_quotes(text) + " is not a whole number from 0 to 4294967295");
}

Finding priority_problem(std::string_view text) {
    if (text.empty())
        return mistake("missing", "a priority is needed");
    return mistake(in_quotes(text) + " is not a priority", "a whole number of -1e9 to 1e9");
}

Finding state_problem(std::string_view text, std::span<const StateWord> states) {
    if (text.empty())
        return mistake("missing", "a state is needed");
    std::vector<std::string> words;
    for (const StateWord& state : states)
        words.emplace_back(state.word);
    return mistake(in_quotes(text) + " is not a known state", {}, suggestion(text, words));
}

}} // namespace bursar::scenarios
