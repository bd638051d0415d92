#include "tools/bursar/terminal.hpp"

#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace bursar {

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

std::size_t terminal_width(std::size_t otherwise) {
    winsize size{};
    if (!is_terminal(stdout) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        return otherwise;
    }
    return size.ws_col;
}

} // namespace bursar
