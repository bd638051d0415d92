#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace bursar { inline namespace scenarios {

/// A stream of bytes, read once from front to back: a file, a decompressor, a piece of memory.
class ByteSource {
  public:
    ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    virtual ~ByteSource() = default;

    /// Writes the next bytes to the front of `into` and returns how many; 0 only at the end.
    /// Throws ScenarioError, naming the file, when the bytes cannot be read or are damaged.
    virtual std::size_t read(std::span<char> into) = 0;

    /// Whether the bytes are unpacked: a small file may hold very many of them.
    [[nodiscard]] virtual bool is_unpacked() const { return false; }
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

/// Bytes that are in memory already; `content` must outlive the source.
class MemorySource final : public ByteSource {
  public:
    explicit MemorySource(std::string_view content) : left_{content} {}

    std::size_t read(std::span<char> into) override {
        const std::size_t n = left_.copy(into.data(), into.size());
        left_.remove_prefix(n);
        return n;
    }

  private:
    std::string_view left_;
};

/// Bytes that were read in advance, then the rest of their stream.
class PrefixedSource final : public ByteSource {
  public:
    PrefixedSource(std::string prefix, std::unique_ptr<ByteSource> rest)
        : prefix_{std::move(prefix)}, rest_{std::move(rest)} {}

    std::size_t read(std::span<char> into) override {
        if (used_ == prefix_.size())
            return rest_->read(into);
        const std::size_t n = prefix_.copy(into.data(), into.size(), used_);
        used_ += n;
        return n;
    }
    [[nodiscard]] bool is_unpacked() const override { return rest_->is_unpacked(); }

  private:
    std::string prefix_;
    std::size_t used_{};
    std::unique_ptr<ByteSource> rest_;
};

}} // namespace bursar::scenarios
