#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// The last key of `result.json`: XXH3 (64 bits, as the hash of a scenario) over every byte of the
/// file before the comma that it follows. What comes after is fixed, so that no byte is left out.
inline constexpr std::string_view content_hash_key = "content_hash";

/// Hands its text on to another sink and hashes it.
class HashedSink final : public TextSink {
  public:
    explicit HashedSink(TextSink& sink);
    ~HashedSink() override;

    /// Of everything put so far.
    [[nodiscard]] std::uint64_t hash();

  private:
    struct State;

    void drain(std::string_view text) override;

    TextSink& sink_;
    std::unique_ptr<State> state_;
};

/// Whether a saved result ends as one that was written with the hash of what stands before.
[[nodiscard]] bool has_right_hash(std::string_view saved);

}} // namespace bursar::reports
