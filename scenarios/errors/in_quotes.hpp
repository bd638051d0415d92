#pragma once

#include <string>
#include <string_view>

namespace bursar { inline namespace scenarios {

/// `text` with each byte that could break a line or drive a terminal as \xNN: control characters
/// (C0, DEL, and C1 as UTF-8 writes it) and bytes 0x80..0xBF that belong to no UTF-8 sequence.
std::string printable(std::string_view text);

/// Text for a message: at most 60 bytes in double quotes, then "..."; printable; UTF-8 sequences
/// stay whole.
std::string in_quotes(std::string_view text);

}} // namespace bursar::scenarios
