#pragma once

#include <cstddef>
#include <cstdio>
#include <string_view>

#include "reports/errors/report_error.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar::inline tools {

/// Where the terminal's width is not known: as wide as a page.
inline constexpr std::size_t page_width = 100;

/// Standard output as a sink; a reader that went away or a full disk is an error like any other.
class StandardOutput final : public TextSink {
  private:
    void drain(std::string_view text) override {
        if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
            throw ReportError{"standard output could not be written"};
        }
    }
};

} // namespace bursar::inline tools
