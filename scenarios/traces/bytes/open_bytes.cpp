#include "scenarios/traces/bytes/open_bytes.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/traces/bytes/file_source.hpp"
#include "scenarios/traces/bytes/gzip_source.hpp"
#include "scenarios/traces/bytes/prefixed_source.hpp"
#include "scenarios/traces/bytes/read_ahead_source.hpp"
#include "scenarios/traces/bytes/zstd_source.hpp"

namespace bursar { inline namespace scenarios {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view gzip_magic = "\x1f\x8b"sv;
constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd"sv;

struct Unread {
    std::string_view magic;
    const char* problem;
};
constexpr std::array unread{Unread{"\xfd\x37zXZ"sv, "xz is not supported"},
                            Unread{"BZh"sv, "bzip2 is not supported"},
                            Unread{"PK\x03\x04"sv, "zip archives are not supported"}};

} // namespace

std::unique_ptr<ByteSource> decompressed(const std::string& file,
                                         std::unique_ptr<ByteSource> stored) {
    std::string start(6, '\0');
    start.resize(read_fully(*stored, start));
    const std::string_view magic = start;
    for (const Unread& packing : unread)
        if (magic.starts_with(packing.magic))
            fail_input(file, mistake(packing.problem, {}, "decompress it, or use gzip or zstd"));
    const bool is_gzip = magic.starts_with(gzip_magic);
    const bool is_zstd = magic.starts_with(zstd_magic);
    auto whole = std::make_unique<PrefixedSource>(std::move(start), std::move(stored));
    if (is_gzip)
        return std::make_unique<ReadAheadSource>(
            std::make_unique<GzipSource>(file, std::move(whole)));
    if (is_zstd)
        return std::make_unique<ReadAheadSource>(
            std::make_unique<ZstdSource>(file, std::move(whole)));
    return whole;
}

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
    return decompressed(path, std::make_unique<FileSource>(path));
}

}} // namespace bursar::scenarios
