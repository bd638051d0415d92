#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace bursar {

/// A number above zero; says so in words where CLI11 would print the limits of double.
inline const CLI::Validator above_zero{
    [](const std::string& text) {
        double number = 0;
        const bool is_number = CLI::detail::lexical_cast(text, number);
        return is_number && number > 0 ? std::string{} : "\"" + text + "\" is not above zero";
    },
    "> 0"};

} // namespace bursar
