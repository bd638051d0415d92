#pragma once

#include <memory>
#include <string>
#include <utility>

#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar { inline namespace scenarios {

/// Bytes that were read ahead to look at them, then the rest of the stream they came from.
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

  private:
    std::string prefix_;
    std::size_t used_{};
    std::unique_ptr<ByteSource> rest_;
};

}} // namespace bursar::scenarios
