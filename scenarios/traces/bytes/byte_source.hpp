#pragma once

#include <cstddef>
#include <span>

namespace bursar { inline namespace scenarios {

/// A stream of bytes, read once from front to back: a file, a decompressor, a piece of memory.
class ByteSource {
  public:
    ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    virtual ~ByteSource() = default;

    /// Writes the next bytes to the front of `into` and returns how many; 0 only at the end.
    /// Throws ScenarioError, naming the file, when the bytes cannot be had or are damaged.
    virtual std::size_t read(std::span<char> into) = 0;
};

/// Reads until `into` is full or `bytes` is at its end; returns how many bytes were read.
inline std::size_t read_fully(ByteSource& bytes, std::span<char> into) {
    std::size_t filled = 0;
    while (filled < into.size()) {
        const std::size_t n = bytes.read(into.subspan(filled));
        if (n == 0)
            break;
        filled += n;
    }
    return filled;
}

}} // namespace bursar::scenarios
