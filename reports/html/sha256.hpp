#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace bursar { inline namespace reports {

/// The SHA-256 digest of `text` (FIPS 180-4).
[[nodiscard]] std::array<std::uint8_t, 32> sha256(std::string_view text);

/// The digest as a Content-Security-Policy names it: "sha256-" and base64.
[[nodiscard]] std::string content_hash_source(std::string_view text);

}} // namespace bursar::reports
