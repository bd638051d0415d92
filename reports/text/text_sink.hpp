#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/int128.hpp"

namespace bursar { inline namespace reports {

/// Where an output writes its text: numbers go through to_chars into one buffer, which is handed
/// on whenever it is full. What has been put arrives after flush() at the latest.
class TextSink {
  public:
    TextSink(const TextSink&) = delete;
    TextSink& operator=(const TextSink&) = delete;
    virtual ~TextSink() = default;

    void put(char c) {
        *room(1) = c;
        ++size_;
    }
    void put(std::string_view text);

    template <std::integral T>
    void put_integer(T value) {
        char* begin = room(max_digits);
        size_ +=
            static_cast<std::size_t>(std::to_chars(begin, begin + max_digits, value).ptr - begin);
    }
    void put_integer(int128 value);

    /// The shortest decimal that reads back as `value`; finite.
    void put_number(double value);

    /// `micro` / 10^6 with up to 6 places and no trailing zeros; exact.
    void put_micro(int128 micro);

    /// What `write(char*)` writes at the place it is given, at most 48 characters; it returns their
    /// end.
    template <class Write>
    void put_with(const Write& write) {
        char* begin = room(max_digits);
        size_ += static_cast<std::size_t>(write(begin) - begin);
    }

    /// Hands on what is buffered; errors of the sink surface here or in an earlier put.
    void flush();

  protected:
    TextSink();

  private:
    static constexpr std::size_t capacity = std::size_t{1} << 16;
    static constexpr std::size_t max_digits = 48; ///< of any number put here

    virtual void drain(std::string_view text) = 0;

    /// The end of the buffer with at least `size` bytes after it.
    char* room(std::size_t size) {
        if (capacity - size_ < size)
            flush();
        return buffer_.data() + size_;
    }

    std::vector<char> buffer_;
    std::size_t size_{};
};

/// Collects the text in a string.
class StringSink final : public TextSink {
  public:
    /// Everything put so far.
    [[nodiscard]] const std::string& text() {
        flush();
        return text_;
    }

  private:
    void drain(std::string_view text) override { text_ += text; }

    std::string text_;
};

}} // namespace bursar::reports
