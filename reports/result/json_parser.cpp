#include "reports/result/json_parser.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

using Kind = JsonValue::Kind;

constexpr int max_depth = 64;
constexpr std::size_t max_column_digits = 20; ///< of 2^64 - 1

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

constexpr bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// Parses a text in one pass.
class JsonParser {
  public:
    explicit JsonParser(std::string_view text) : text_{text} {}

    JsonValue whole() {
        JsonValue out = value(0);
        skip_blanks();
        if (at_ < text_.size())
            fail();
        return out;
    }

  private:
    [[noreturn]] void fail() const { throw BadJson{at_}; }

    /// The current byte; 0, which no JSON has, after the end.
    [[nodiscard]] char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    void skip_blanks() {
        while (is_blank(here()))
            ++at_;
    }

    void expect(char c) {
        if (here() != c)
            fail();
        ++at_;
    }

    [[nodiscard]] std::string_view since(std::size_t begin) const {
        return text_.substr(begin, at_ - begin);
    }

    JsonValue value(int depth) {
        skip_blanks();
        switch (here()) {
        case '{':
            return object(depth);
        case '[':
            return array(depth);
        case '"':
            return {.kind = Kind::string, .text = string()};
        case 'n':
            return word("null", Kind::null);
        case 't':
            return word("true", Kind::boolean);
        case 'f':
            return word("false", Kind::boolean);
        default:
            return number();
        }
    }

    JsonValue word(std::string_view name, Kind kind) {
        const std::size_t begin = at_;
        for (const char c : name)
            expect(c);
        return {.kind = kind, .text = since(begin)};
    }

    JsonValue object(int depth) {
        return parts(Kind::object, '}', depth, [&] {
            skip_blanks();
            const std::string_view key = string();
            skip_blanks();
            expect(':');
            JsonValue out = value(depth + 1);
            out.key = key;
            return out;
        });
    }

    JsonValue array(int depth) {
        if (std::optional<JsonValue> numbers = column())
            return *std::move(numbers);
        return parts(Kind::array, ']', depth, [&] { return value(depth + 1); });
    }

    template <class Part>
    JsonValue parts(Kind kind, char end, int depth, const Part& part) {
        const std::size_t begin = at_++;
        if (depth == max_depth)
            fail();
        std::vector<JsonValue> out;
        skip_blanks();
        if (here() != end) {
            out.push_back(part());
            for (skip_blanks(); here() == ','; skip_blanks()) {
                ++at_;
                out.push_back(part());
            }
        }
        expect(end);
        return {.kind = kind,
                .text = since(begin),
                .parts = std::make_shared<const std::vector<JsonValue>>(std::move(out))};
    }

    /// The array here if it is a column; else absent, and the position does not move.
    std::optional<JsonValue> column() {
        const std::size_t begin = at_ + 1;
        const char* const end = text_.data() + text_.size();
        const char* next = text_.data() + begin;
        const auto blanks = [&] {
            while (next != end && is_blank(*next))
                ++next;
        };
        for (std::size_t size = 1;; ++size) {
            blanks();
            const char* const digits = next;
            while (next != end && is_digit(*next))
                ++next;
            const auto num_digits = static_cast<std::size_t>(next - digits);
            if (num_digits == 0 || num_digits > max_column_digits ||
                (*digits == '0' && num_digits > 1))
                return std::nullopt;
            blanks();
            if (next == end || (*next != ',' && *next != ']'))
                return std::nullopt;
            if (*next++ == ']') {
                at_ = static_cast<std::size_t>(next - text_.data());
                return JsonValue{.kind = Kind::column,
                                 .text = text_.substr(begin, at_ - 1 - begin),
                                 .size = size};
            }
        }
    }

    void digits() {
        if (!is_digit(here()))
            fail();
        while (is_digit(here()))
            ++at_;
    }

    JsonValue number() {
        const std::size_t begin = at_;
        if (here() == '-')
            ++at_;
        if (here() == '0')
            ++at_;
        else
            digits();
        Kind kind = Kind::integer;
        if (here() == '.') {
            kind = Kind::number;
            ++at_;
            digits();
        }
        if (here() == 'e' || here() == 'E') {
            kind = Kind::number;
            ++at_;
            if (here() == '+' || here() == '-')
                ++at_;
            digits();
        }
        const std::string_view text = since(begin);
        if (!std::isfinite(std::strtod(std::string{text}.c_str(), nullptr)))
            fail();
        return {.kind = kind, .text = text};
    }

    /// The text of the string here, without its quotes.
    std::string_view string() {
        expect('"');
        const std::size_t begin = at_;
        bool is_ascii = true;
        for (; here() != '"'; ++at_) {
            const auto byte = static_cast<unsigned char>(here());
            if (byte < 0x20)
                fail();
            is_ascii = is_ascii && byte < 0x80;
            if (byte == '\\')
                escape();
        }
        const std::string_view out = since(begin);
        if (!is_ascii && valid_utf8(out) != out)
            fail();
        ++at_;
        return out;
    }

    /// Skips to the last byte of the escape here. A pair of surrogates is one escape.
    void escape() {
        ++at_;
        if (here() != 'u') {
            if (std::string_view{"\"\\/bfnrt"}.find(here()) == std::string_view::npos)
                fail();
            return;
        }
        const unsigned first = code_unit();
        if (first >= 0xDC00 && first < 0xE000)
            fail();
        if (first < 0xD800 || first >= 0xE000)
            return;
        ++at_;
        expect('\\');
        if (here() != 'u')
            fail();
        if (const unsigned second = code_unit(); second < 0xDC00 || second >= 0xE000)
            fail();
    }

    /// Skips from the u of an escape to the last of its four digits.
    unsigned code_unit() {
        unsigned out = 0;
        for (int i = 0; i < 4; ++i) {
            ++at_;
            const char c = here();
            const char low = static_cast<char>(c | 0x20);
            if (is_digit(c))
                out = out * 16 + static_cast<unsigned>(c - '0');
            else if (low >= 'a' && low <= 'f')
                out = out * 16 + static_cast<unsigned>(low - 'a' + 10);
            else
                fail();
        }
        return out;
    }

    std::string_view text_;
    std::size_t at_{};
};

unsigned hexadecimal(std::string_view digits) {
    return static_cast<unsigned>(std::strtoul(std::string{digits}.c_str(), nullptr, 16));
}

void append_utf8(std::string& out, unsigned code) {
    const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
    const auto tail = [&](int shift) { put(0x80U | ((code >> shift) & 0x3FU)); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0U | code >> 6U);
        tail(0);
    } else if (code < 0x10000) {
        put(0xE0U | code >> 12U);
        tail(6);
        tail(0);
    } else {
        put(0xF0U | code >> 18U);
        tail(12);
        tail(6);
        tail(0);
    }
}

} // namespace

JsonValue parse_json(std::string_view text) {
    return JsonParser{text}.whole();
}

std::string json_string(std::string_view written) {
    std::string out;
    out.reserve(written.size());
    for (std::size_t i = 0; i < written.size(); ++i) {
        const std::size_t backslash = std::min(written.find('\\', i), written.size());
        out += written.substr(i, backslash - i);
        i = backslash + 1;
        if (i >= written.size())
            break;
        const std::size_t plain = std::string_view{"bfnrt"}.find(written[i]);
        if (plain != std::string_view::npos) {
            out += "\b\f\n\r\t"[plain];
        } else if (written[i] != 'u') {
            out += written[i];
        } else {
            unsigned code = hexadecimal(written.substr(i + 1, 4));
            i += 4;
            if (code >= 0xD800 && code < 0xE000) { // the high half of a pair (Unicode 15, 3.9)
                code = 0x10000 + ((code - 0xD800) << 10U) +
                       (hexadecimal(written.substr(i + 3, 4)) - 0xDC00);
                i += 6;
            }
            append_utf8(out, code);
        }
    }
    return out;
}

const JsonValue* JsonValue::member(std::string_view name) const {
    if (kind != Kind::object)
        return nullptr;
    const auto found = std::find_if(parts->rbegin(), parts->rend(), [&](const JsonValue& part) {
        return part.key == name ||
               (part.key.find('\\') != std::string_view::npos && json_string(part.key) == name);
    });
    return found == parts->rend() ? nullptr : &*found;
}

}} // namespace bursar::reports
