#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "reports/errors/report_error.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/text_sink.hpp"

#include "tools/command_line/terminal.hpp"

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

/// Standard output as a sink. Throws ReportError on a closed pipe or a full disk.
class StandardOutput final : public TextSink {
  public:
    explicit StandardOutput(ReadBy read_by) : read_by_{read_by} {}

  private:
    void drain(std::string_view text) override {
        if (read_by_ == ReadBy::people && !shows_utf8())
            write(ascii_text(text));
        else
            write(text);
    }

    static void write(std::string_view text) {
        if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
            throw ReportError{unwritable_output};
    }

    ReadBy read_by_;
};

/// Prints text for people on stdout.
template <class... Args>
void put_text(fmt::format_string<Args...> format, Args&&... args) {
    StandardOutput out{ReadBy::people};
    out.put(fmt::format(format, std::forward<Args>(args)...));
    out.flush();
}

}} // namespace bursar::tools
