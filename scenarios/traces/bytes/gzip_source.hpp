#pragma once

#include <memory>
#include <string>

#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar { inline namespace scenarios {

/// Inflates gzip data, of one member or several one after the other (RFC 1952).
/// Throws ScenarioError naming `file` when the data end early or are damaged.
class GzipSource final : public ByteSource {
  public:
    GzipSource(std::string file, std::unique_ptr<ByteSource> packed);
    ~GzipSource() override;

    std::size_t read(std::span<char> into) override;

  private:
    struct State;
    /// False at the end of the packed bytes.
    bool refill();
    void next_member();

    std::string file_;
    std::unique_ptr<ByteSource> packed_;
    std::unique_ptr<State> state_;
};

}} // namespace bursar::scenarios
