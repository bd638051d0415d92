#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace tools {

inline constexpr const char* unwritable_output = "bursar: standard output could not be written";

/// The width without a known terminal width.
inline constexpr std::size_t page_width = 100;

/// The readers of an output: programs get UTF-8 always, people what their locale can show.
enum class ReadBy : std::uint8_t { people, programs };

/// The table is for people; every other format is for programs.
inline ReadBy readers_of(std::string_view format) {
    return format == "table" ? ReadBy::people : ReadBy::programs;
}

/// Standard output as a sink. Throws ReportError on a closed pipe or a full disk. People and
/// terminals get visible escapes in place of what could drive a terminal (terminal_lines).
class StandardOutput final : public TextSink {
  public:
    explicit StandardOutput(ReadBy read_by);
    /// Writes what flush() was not called for, unless an exception leaves. main() finds a failure
    /// in the state of stdout.
    ~StandardOutput() override;

  private:
    void drain(std::string_view text) override;
    void write_lines(std::string_view lines) const;

    ReadBy read_by_;
    bool is_shown_;    ///< to people, or by a terminal
    std::string line_; ///< the last line as far as it was put, if it is shown
};

/// Prints text for people on stdout.
template <class... Args>
void put_text(fmt::format_string<Args...> format, Args&&... args) {
    StandardOutput out{ReadBy::people};
    out.put(fmt::format(format, std::forward<Args>(args)...));
    out.flush();
}

/// Gives each standard stream that is closed a descriptor that cannot be used, so that no file
/// opened later gets its number, and then what is printed. Called first in main().
void take_closed_streams();

}} // namespace bursar::tools
