#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar {

/// Adds an option that takes one of `names`, which stand in the order of the enumeration (or, for
/// an optional, its value type). Anything else is refused with the nearest names.
template <class Enum, class Target>
CLI::Option* add_named(CLI::App& command,
                       const std::string& flag,
                       Target& target,
                       std::span<const std::string_view> names,
                       const std::string& help) {
    const std::vector<std::string> known{names.begin(), names.end()};
    const auto set = [&target, known, flag](const std::string& name) {
        for (std::size_t i = 0; i < known.size(); ++i)
            if (known[i] == name) {
                target = static_cast<Enum>(i);
                return;
            }
        throw CLI::ValidationError(
            flag, fmt::format("unknown name {}; {}", in_quotes(name), suggestion(name, known)));
    };
    return command.add_option_function<std::string>(flag, set, help)
        ->type_name(fmt::format("{}", fmt::join(known, "|")));
}

} // namespace bursar
