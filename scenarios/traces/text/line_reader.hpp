#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/text/row_buffer.hpp"

namespace bursar { inline namespace scenarios {

/// The first line of `text`, without its line end.
std::string_view first_line_of(std::string_view text);

/// Reads text line by line, without line ends (LF or CRLF).
class LineReader {
  public:
    /// file: for messages only. `bytes` must outlive the reader.
    LineReader(ByteSource& bytes, std::string file);

    /// The next line, valid until the next call; absent after the last.
    /// Throws ScenarioError for a line longer than 1 MiB or with a NUL byte.
    std::optional<std::string_view> next();

    /// Number of the line that next() returned last; counts from 1.
    [[nodiscard]] std::uint64_t line() const { return line_; }

  private:
    std::string file_;
    RowBuffer text_;
    std::uint64_t line_{};
};

}} // namespace bursar::scenarios
