#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "reports/result/saved_file.hpp"
#include "reports/text/decimal.hpp"

namespace bursar::test {

/// `text`, an object with or without a content hash, with the matching hash.
inline std::string with_content_hash(std::string_view text) {
    const std::string key = ",\n  \"" + std::string{content_hash_key} + "\"";
    std::size_t end = text.rfind(key);
    if (end == std::string_view::npos)
        end = std::min(text.rfind('}'), text.size());
    const std::string content{text.substr(0, end)};
    StringSink sink;
    HashedSink hashed{sink};
    hashed.put(content);
    return content + key + ": \"" + hash_text(hashed.hash()) + "\"\n}\n";
}

} // namespace bursar::test
