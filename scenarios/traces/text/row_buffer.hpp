#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar { inline namespace scenarios {

/// Longest line, or row with line feeds inside quotes; bytes.
inline constexpr std::size_t longest_row = 1024 * 1024;

/// A window on a stream of text that always begins at the row being read. Rows are never split: an
/// unfinished row moves to the front, and the window grows if one row fills it.
class RowBuffer {
  public:
    /// Skips a UTF-8 byte order mark.
    explicit RowBuffer(ByteSource& bytes);

    /// First byte of the row being read, and one past the last byte held. At least 64 bytes after
    /// `end()` are readable; their values have no meaning.
    [[nodiscard]] const char* begin() const { return data_.get() + begin_; }
    [[nodiscard]] const char* end() const { return data_.get() + end_; }

    /// The next row begins at `next`, inside [begin(), end()].
    void advance(const char* next) { begin_ = static_cast<std::size_t>(next - data_.get()); }

    /// Result of a request for more text.
    enum class Refill {
        grown,     ///< there is more; pointers into the window are no longer valid
        last_line, ///< the text ended inside a line; a line feed was added
        ended,     ///< nothing more
        too_long   ///< the row alone is longer than `longest_row`
    };
    Refill refill();

  private:
    void make_room();

    ByteSource& bytes_;
    std::size_t capacity_;
    std::unique_ptr<char[]> data_;
    std::size_t begin_{};
    std::size_t end_{};
    bool at_end_{}; // the stream has nothing more
    bool fed_{};    // a line feed was added to the last line
};

}} // namespace bursar::scenarios
