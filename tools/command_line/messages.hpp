#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace bursar { inline namespace tools {

/// Writes lines to stderr, long ones shortened, with visible escapes in place of what could drive a
/// terminal. Does nothing if stderr is closed or full.
void write_message(std::string_view text);

template <class... Args>
void log(fmt::format_string<Args...> format, Args&&... args) {
    write_message(fmt::format(format, std::forward<Args>(args)...));
}

/// "1 job", "2 jobs"; "1 pass", "2 passes"; "1 stretch", "2 stretches".
inline std::string counted(std::uint64_t count, std::string_view noun) {
    const bool hisses = noun.ends_with('s') || noun.ends_with("ch");
    const std::string_view plural = hisses ? "es" : "s";
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : plural);
}

}} // namespace bursar::tools
