#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

namespace bursar {

/// A number above zero; says so in words where CLI11 would print the limits of double.
static const CLI::Validator above_zero{
    [](const std::string& text) {
        double number = 0;
        const bool is_number = CLI::detail::lexical_cast(text, number);
        return is_number && number > 0 ? std::string{} : "\"" + text + "\" is not above zero";
    },
    "> 0"};

/// A whole number of at most `most`; says nothing in the help text.
static CLI::Validator at_most(std::int64_t most) {
    return {[most](const std::string& text) {
                std::int64_t number = 0;
                const bool is_number = CLI::detail::lexical_cast(text, number);
                return is_number && number <= most
                           ? std::string{}
                           : "\"" + text + "\" is no whole number up to " + std::to_string(most);
            },
            ""};
}

} // namespace bursar
