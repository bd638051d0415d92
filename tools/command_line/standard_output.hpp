#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "reports/errors/report_error.hpp"
#include "reports/text/ascii.hpp"
#include "reports/text/text_sink.hpp"

#include "tools/command_line/terminal.hpp"

namespace bursar { inline namespace tools {

/// Where the terminal's width is not known: as wide as a page.
inline constexpr std::size_t page_width = 100;

/// Who reads what is written: what programs read is UTF-8 everywhere, what people read is what
/// their locale shows.
enum class ReadBy : std::uint8_t { people, programs };

/// Of the formats of an answer, the table is for people.
inline ReadBy readers_of(std::string_view format) {
    return format == "table" ? ReadBy::people : ReadBy::programs;
}

/// Standard output as a sink; a reader that went away or a full disk is an error like any other.
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
            throw ReportError{"standard output could not be written"};
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
