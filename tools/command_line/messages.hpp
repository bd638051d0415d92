#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "reports/text/escape.hpp"

#include "tools/command_line/terminal.hpp"

namespace bursar { inline namespace tools {

/// Writes a message to stderr. Does nothing if stderr is closed or full.
template <class... Args>
void log(fmt::format_string<Args...> format, Args&&... args) {
    std::string text = fmt::format(format, std::forward<Args>(args)...);
    if (!shows_utf8())
        text = ascii_text(text);
    std::fwrite(text.data(), 1, text.size(), stderr);
}

/// "1 job", "2 jobs"; "1 pass", "2 passes"; "1 stretch", "2 stretches".
inline std::string counted(std::uint64_t count, std::string_view noun) {
    const bool hisses = noun.ends_with('s') || noun.ends_with("ch");
    const std::string_view plural = hisses ? "es" : "s";
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : plural);
}

}} // namespace bursar::tools
