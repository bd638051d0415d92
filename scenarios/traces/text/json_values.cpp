#include "scenarios/traces/text/json_values.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include <nlohmann/json.hpp>

#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Counts the bytes that were read: the parser does not give the place of a value.
class NotedBytes {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    NotedBytes(const char* at, const char** noted) : at_{at}, noted_{noted} {}
    reference operator*() const { return *at_; }
    NotedBytes& operator++() {
        *noted_ = ++at_;
        return *this;
    }
    NotedBytes operator++(int) {
        NotedBytes before = *this;
        ++*this;
        return before;
    }
    friend bool operator==(const NotedBytes& a, const NotedBytes& b) { return a.at_ == b.at_; }

  private:
    const char* at_;
    const char** noted_;
};

/// Counts lines incrementally: a file of many values is scanned once.
class PlaceCounter {
  public:
    explicit PlaceCounter(std::string_view text) : at_{text.data()}, line_begin_{text.data()} {}
    FieldPlace of(const char* byte) {
        for (; at_ < byte; ++at_) {
            if (*at_ == '\n') {
                ++line_;
                line_begin_ = at_ + 1;
            }
        }
        return {line_, static_cast<std::uint64_t>(byte - line_begin_) + 1};
    }

  private:
    const char* at_;
    const char* line_begin_;
    std::uint64_t line_{1};
};

/// The functions that nlohmann's parser calls; all continue unless there is a mistake.
class Visitor {
  public:
    Visitor(std::string_view text, const std::string& file, JsonValues& values)
        : read_to_{text.data()}, file_{file}, values_{values}, places_{text}, begin_{text.data()},
          end_{text.data() + text.size()} {}

    const char** read_to() { return &read_to_; }

    bool null() { return word("null"); }
    bool boolean(bool yes) { return word(yes ? "true" : "false"); }
    bool number_integer(std::int64_t) { return number(); }
    bool number_unsigned(std::uint64_t) { return number(); }
    bool number_float(double, const std::string&) { return number(); }
    bool string(std::string& text) {
        // With escapes in the text the column is slightly too large.
        const char* const quote =
            read_to_ - std::min<std::ptrdiff_t>(read_to_ - begin_,
                                                static_cast<std::ptrdiff_t>(text.size()) + 2);
        return tell(text, quote);
    }
    bool binary(std::vector<std::uint8_t>&) { return true; }

    bool start_object(std::size_t) {
        enter();
        return true;
    }
    bool key(std::string& name) {
        path_.back() = name;
        return true;
    }
    bool end_object() {
        path_.pop_back();
        values_.end_of_object(path_);
        return true;
    }
    bool start_array(std::size_t) {
        enter();
        path_.back() = "[]";
        return true;
    }
    bool end_array() {
        path_.pop_back();
        return true;
    }
    bool parse_error(std::size_t byte, const std::string&, const nlohmann::json::exception&) {
        const char* const at =
            std::min(end_, begin_ + static_cast<std::ptrdiff_t>(byte == 0 ? 0 : byte - 1));
        const FieldPlace place = places_.of(at);
        fail_input({file_, place.line, place.column}, {}, mistake("this is no JSON"));
    }

  private:
    /// As many levels as in scenarios: `values` get the whole path with each value.
    static constexpr std::size_t max_levels = 500;

    void enter() {
        if (path_.size() == max_levels) {
            const FieldPlace place = places_.of(read_to_ - 1);
            fail_input({file_, place.line, place.column},
                       {},
                       mistake("nested too deeply", "at most 500 levels"));
        }
        path_.emplace_back();
    }
    bool tell(std::string_view text, const char* at) {
        values_.value(path_, text, places_.of(at));
        return true;
    }
    bool word(std::string_view text) {
        return tell(text, read_to_ - static_cast<std::ptrdiff_t>(text.size()));
    }
    /// The parser has read one byte past a number, or is at the end.
    bool number() {
        const char* end = read_to_;
        const auto in_number = [](char c) {
            return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' ||
                   c == 'E';
        };
        while (end > begin_ && !in_number(end[-1]))
            --end;
        const char* begin = end;
        while (begin > begin_ && in_number(begin[-1]))
            --begin;
        return tell({begin, static_cast<std::size_t>(end - begin)}, begin);
    }

    const char* read_to_;
    const std::string& file_;
    JsonValues& values_;
    PlaceCounter places_;
    const char* begin_;
    const char* end_;
    std::vector<std::string> path_;
};

} // namespace

void read_json_values(std::string_view text, const std::string& file, JsonValues& values) {
    Visitor visitor{text, file, values};
    const NotedBytes begin{text.data(), visitor.read_to()};
    const NotedBytes end{text.data() + text.size(), visitor.read_to()};
    nlohmann::json::sax_parse(begin, end, &visitor);
}

}} // namespace bursar::scenarios
