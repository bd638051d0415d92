#include "reports/text/text_sink.hpp"

#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {

TextSink::TextSink() : buffer_(capacity) {}

void TextSink::put(std::string_view text) {
    if (text.size() > capacity) {
        flush();
        drain(text);
        return;
    }
    text.copy(room(text.size()), text.size());
    size_ += text.size();
}

void TextSink::put_integer(int128 value) {
    size_ += write_integer(room(max_digits), value);
}

void TextSink::put_number(double value) {
    size_ += write_number(room(max_digits), value);
}

void TextSink::put_micro(int128 micro) {
    size_ += write_micro(room(max_digits), micro);
}

void TextSink::flush() {
    const std::string_view text{buffer_.data(), size_};
    size_ = 0; // first: a sink that throws must not be given the same text again
    if (!text.empty())
        drain(text);
}

}} // namespace bursar::reports
