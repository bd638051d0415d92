#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>

#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// How a file is compressed.
enum class Packing : std::uint8_t { none, gzip, zstd };
inline constexpr std::array<std::string_view, 3> packing_names{"none", "gzip", "zstd"};

/// What the name of such a file ends in.
inline constexpr std::array<std::string_view, 3> packing_suffixes{"", ".gz", ".zst"};

/// Writes into `out` what `write` puts, compressed: gzip without name and time, zstd with a
/// checksum. Equal texts are equal files. Throws ReportError where memory is short, and whatever
/// `out` throws.
///
/// Boost.Iostreams is no replacement: its zstd filter writes no checksum, and when reading it takes
/// a truncated file for a whole one.
void write_packed(Packing packing, TextSink& out, const std::function<void(TextSink&)>& write);

}} // namespace bursar::reports
