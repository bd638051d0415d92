#pragma once

#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace bursar { inline namespace scenarios {

/// Bytes per call of special_bytes().
inline constexpr int special_block = 64;

/// Finds the bytes that structure a delimiter-separated file in the 64 bytes at `block`: bit i is
/// set if block[i] is the delimiter, a quote, a line feed or NUL. All 64 bytes must be readable.
inline std::uint64_t special_bytes(const char* block, char delimiter) {
    std::uint64_t found = 0;
#ifdef __SSE2__
    const __m128i between = _mm_set1_epi8(delimiter);
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i feed = _mm_set1_epi8('\n');
    const __m128i nul = _mm_setzero_si128();
    for (int at = 0; at < special_block; at += 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + at));
        const __m128i hits =
            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, between), _mm_cmpeq_epi8(bytes, quote)),
                         _mm_or_si128(_mm_cmpeq_epi8(bytes, feed), _mm_cmpeq_epi8(bytes, nul)));
        const auto bits = static_cast<std::uint32_t>(_mm_movemask_epi8(hits));
        found |= std::uint64_t{bits} << at;
    }
#else
    for (int at = 0; at < special_block; ++at) {
        const char c = block[at];
        const bool special = c == delimiter || c == '"' || c == '\n' || c == '\0';
        found |= std::uint64_t{special} << at;
    }
#endif
    return found;
}

}} // namespace bursar::scenarios
