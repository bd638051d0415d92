#pragma once

#include <memory>
#include <string>

#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar { inline namespace scenarios {

/// Decompresses Zstandard data, of one frame or several one after the other (RFC 8878).
/// Throws ScenarioError naming `file` when the data end early or are damaged.
class ZstdSource final : public ByteSource {
  public:
    ZstdSource(std::string file, std::unique_ptr<ByteSource> packed);
    ~ZstdSource() override;

    std::size_t read(std::span<char> into) override;

  private:
    struct State;

    std::string file_;
    std::unique_ptr<ByteSource> packed_;
    std::unique_ptr<State> state_;
};

}} // namespace bursar::scenarios
