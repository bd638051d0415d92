#include "reports/result/json_value.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace bursar { inline namespace reports {
namespace {

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
