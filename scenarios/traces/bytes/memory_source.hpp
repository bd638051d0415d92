#pragma once

#include <algorithm>
#include <string_view>

#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar { inline namespace scenarios {

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

}} // namespace bursar::scenarios
