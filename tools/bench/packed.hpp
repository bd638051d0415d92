#pragma once

#include <string>
#include <string_view>

#include <zlib.h>
#include <zstd.h>

namespace bursar { inline namespace tools {

/// `plain` as one gzip member. For benchmarks and tests: the program itself packs nothing.
inline std::string gzip(std::string_view plain) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, plain.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

/// `plain` as one Zstandard frame.
inline std::string zstd(std::string_view plain) {
    std::string packed(ZSTD_compressBound(plain.size()), '\0');
    packed.resize(ZSTD_compress(
        packed.data(), packed.size(), plain.data(), plain.size(), ZSTD_defaultCLevel()));
    return packed;
}

}} // namespace bursar::tools
