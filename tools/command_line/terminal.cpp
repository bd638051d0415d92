#include "tools/command_line/terminal.hpp"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <sys/ioctl.h>
#include <unistd.h>

#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace tools {
namespace {

/// The value of COLUMNS, if it is a usable width.
std::optional<std::size_t> columns_asked_for() {
    constexpr std::size_t min_width = 20;
    constexpr std::size_t max_width = 10'000;
    const char* columns = std::getenv("COLUMNS"); // NOLINT(concurrency-mt-unsafe)
    if (columns == nullptr)
        return std::nullopt;
    const std::string_view text{columns};
    std::size_t width = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
    if (error != std::errc{} || end != text.data() + text.size() || width < min_width ||
        width > max_width)
        return std::nullopt;
    return width;
}

} // namespace

bool is_terminal(std::FILE* stream) {
    return isatty(fileno(stream)) == 1;
}

bool wants_colour() {
    const char* no_color = std::getenv("NO_COLOR"); // NOLINT(concurrency-mt-unsafe)
    const char* term = std::getenv("TERM");         // NOLINT(concurrency-mt-unsafe)
    const bool refused = no_color != nullptr && *no_color != '\0';
    const bool dumb = term == nullptr || std::string_view{term} == "dumb";
    return is_terminal(stdout) && !refused && !dumb;
}

bool shows_utf8() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* locale = std::getenv(name); // NOLINT(concurrency-mt-unsafe)
        if (locale == nullptr || *locale == '\0')
            continue;
        const std::string charset = lower_case(locale);
        return charset.find("utf-8") != std::string::npos ||
               charset.find("utf8") != std::string::npos;
    }
    return false;
}

std::size_t terminal_width(std::size_t otherwise) {
    winsize size{};
    if (is_terminal(stdout) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return columns_asked_for().value_or(otherwise);
}

}} // namespace bursar::tools
