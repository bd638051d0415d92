#include "scenarios/measurements/stated_words.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/measurements/stated_settings.hpp"
#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace scenarios {

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words)
        if (text.find(word) != std::string_view::npos)
            return true;
    return false;
}

std::vector<std::string> runs_of(std::string_view text) {
    const auto kind = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return std::isdigit(byte) != 0 ? 1 : std::isalpha(byte) != 0 ? 2 : 0;
    };
    std::vector<std::string> runs;
    int before = 0;
    for (const char c : lower_case(text)) {
        const int now = kind(c);
        if (now != 0 && now != before)
            runs.emplace_back();
        if (now != 0)
            runs.back() += c;
        before = now;
    }
    return runs;
}

bool is_number(std::string_view run) {
    return !run.empty() && std::isdigit(static_cast<unsigned char>(run.front())) != 0;
}

void check_words(const char* column,
                 std::string_view text,
                 std::span<const std::string_view> known,
                 Spellings usual) {
    for (const std::string& run : runs_of(text))
        if (!is_number(run) && std::ranges::find(known, run) == known.end())
            throw ModelError{
                column,
                fmt::format("{} is not known (\"{}\")", in_quotes(text), run),
                suggestion(text, std::vector<std::string>{usual.begin(), usual.end()})};
}

void fail_setting(const char* column, std::string_view text, Spellings usual) {
    throw ModelError{column,
                     in_quotes(text) + " is not known",
                     suggestion(text, std::vector<std::string>{usual.begin(), usual.end()})};
}

bool is_unpublished(std::string_view words) {
    const std::string text = plain_name(words);
    return text.empty() || text == "unpublished" || text == "unknown" || text == "na";
}

}} // namespace bursar::scenarios
