#include "tools/command_line/standard_output.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>

#include <fcntl.h>
#include <unistd.h>

#include "reports/errors/report_error.hpp"
#include "reports/text/escape.hpp"

#include "tools/command_line/messages.hpp"
#include "tools/command_line/terminal.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::size_t max_message_line = 2000; ///< bytes of a line of a message

void write_bytes(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
        throw ReportError{unwritable_output};
}

/// The lines of a message; the middle of a very long one is left out.
std::string shortened(std::string_view lines) {
    std::string out;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        std::string_view line = lines.substr(0, end);
        if (line.size() > max_message_line) {
            out += line.substr(0, max_message_line / 2);
            out += " ... ";
            line = line.substr(line.size() - max_message_line / 2);
        }
        out += line;
        if (end < lines.size())
            out += '\n';
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return out;
}

} // namespace

StandardOutput::StandardOutput(ReadBy read_by)
    : read_by_{read_by}, is_shown_{read_by == ReadBy::people || is_terminal(stdout)} {}

StandardOutput::~StandardOutput() {
    if (std::uncaught_exceptions() > 0)
        return;
    try {
        flush();
        write_lines(line_);
    } catch (const ReportError&) { // in the state of stdout
    }
}

void StandardOutput::drain(std::string_view text) {
    if (!is_shown_)
        return write_bytes(text);
    const std::size_t end = text.rfind('\n') + 1; // characters and lines are shown whole
    if (end > 0) {
        line_ += text.substr(0, end);
        write_lines(line_);
        line_.clear();
    }
    line_ += text.substr(end);
}

void StandardOutput::write_lines(std::string_view lines) const {
    const std::string shown = terminal_lines(lines);
    write_bytes(read_by_ == ReadBy::people && !shows_utf8() ? ascii_text(shown) : shown);
}

void write_message(std::string_view text) {
    std::string shown = terminal_lines(shortened(text));
    if (!shows_utf8())
        shown = ascii_text(shown);
    std::fwrite(shown.data(), 1, shown.size(), stderr);
}

void take_closed_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0)
            static_cast<void>(
                ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)); // the lowest
}

}} // namespace bursar::tools
