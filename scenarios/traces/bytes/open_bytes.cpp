#include "scenarios/traces/bytes/open_bytes.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <new>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/traces/bytes/read_ahead_source.hpp"

namespace bursar { inline namespace scenarios {
namespace {

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

[[noreturn]] void fail(const std::string& file, const char* problem, const char* why) {
    fail_input(file, mistake(problem, why != nullptr ? why : ""));
}

constexpr int gzip_only = 15 + 16; // zlib's windowBits: largest window, gzip header required

struct GzipSource::State {
    z_stream stream{};
    std::array<char, 64 * 1024> input{};
    bool at_end{}; // the last member is complete and nothing follows it
};

GzipSource::GzipSource(std::string file, std::unique_ptr<ByteSource> packed)
    : file_{std::move(file)}, packed_{std::move(packed)}, state_{std::make_unique<State>()} {
    if (inflateInit2(&state_->stream, gzip_only) != Z_OK)
        throw std::bad_alloc{};
}

GzipSource::~GzipSource() {
    inflateEnd(&state_->stream);
}

bool GzipSource::refill() {
    const std::size_t n = packed_->read(state_->input);
    state_->stream.next_in = reinterpret_cast<Bytef*>(state_->input.data());
    state_->stream.avail_in = static_cast<uInt>(n);
    return n > 0;
}

void GzipSource::next_member() {
    if (state_->stream.avail_in == 0 && !refill())
        state_->at_end = true;
    else
        inflateReset(&state_->stream);
}

std::size_t GzipSource::read(std::span<char> into) {
    z_stream& stream = state_->stream;
    const std::size_t wanted = std::min<std::size_t>(into.size(), std::numeric_limits<uInt>::max());
    stream.next_out = reinterpret_cast<Bytef*>(into.data());
    stream.avail_out = static_cast<uInt>(wanted);
    while (!state_->at_end && stream.avail_out == wanted) {
        if (stream.avail_in == 0 && !refill())
            fail(file_, "truncated gzip data", "the file ends inside a gzip member");
        const int result = inflate(&stream, Z_NO_FLUSH);
        if (result == Z_STREAM_END)
            next_member();
        else if (result == Z_MEM_ERROR)
            throw std::bad_alloc{};
        else if (result != Z_OK)
            fail(file_, "corrupt gzip data", stream.msg);
    }
    return wanted - stream.avail_out;
}

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

struct ZstdSource::State {
    ZSTD_DStream* stream{ZSTD_createDStream()};
    std::vector<char> storage = std::vector<char>(ZSTD_DStreamInSize());
    ZSTD_inBuffer input{storage.data(), 0, 0};
    bool inside_frame{true}; // an empty file is a frame that never began

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { ZSTD_freeDStream(stream); }
};

ZstdSource::ZstdSource(std::string file, std::unique_ptr<ByteSource> packed)
    : file_{std::move(file)}, packed_{std::move(packed)}, state_{std::make_unique<State>()} {
    if (state_->stream == nullptr)
        throw std::bad_alloc{};
}

ZstdSource::~ZstdSource() = default;

std::size_t ZstdSource::read(std::span<char> into) {
    ZSTD_outBuffer output{into.data(), into.size(), 0};
    bool at_end = false;
    while (output.pos == 0) {
        if (state_->input.pos == state_->input.size && !at_end) {
            state_->input.size = packed_->read(state_->storage);
            state_->input.pos = 0;
            at_end = state_->input.size == 0;
            if (at_end && !state_->inside_frame)
                return 0;
        }
        // At the end of the input the decompressor may still hold output of the last block.
        const std::size_t result = ZSTD_decompressStream(state_->stream, &output, &state_->input);
        if (ZSTD_isError(result) != 0)
            fail_input(file_, mistake("corrupt zstd data", ZSTD_getErrorName(result)));
        state_->inside_frame = result != 0;
        if (at_end && output.pos == 0)
            fail_input(file_, mistake("truncated zstd data", "the file ends inside a frame"));
    }
    return output.pos;
}

[[noreturn]] void fail(const std::string& path, const char* problem, int error) {
    fail_input(path, mistake(problem, std::generic_category().message(error)));
}

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

FileSource::FileSource(std::string path)
    : path_{std::move(path)}, descriptor_{::open(path_.c_str(), O_RDONLY | O_CLOEXEC)} {
    if (descriptor_ < 0)
        fail(path_, "cannot open", errno);
    ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
}

FileSource::~FileSource() {
    ::close(descriptor_);
}

std::size_t FileSource::read(std::span<char> into) {
    while (true) {
        const ssize_t n = ::read(descriptor_, into.data(), into.size());
        if (n >= 0)
            return static_cast<std::size_t>(n);
        if (errno != EINTR)
            fail(path_, "cannot read", errno);
    }
}

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

std::string whole_text(ByteSource& bytes, const std::string& file) {
    constexpr std::size_t window = std::size_t{1} << 16;
    std::string text;
    while (true) {
        const std::size_t held = text.size();
        if (held > max_whole_text)
            fail_input(file, mistake("more than 1 GiB of text", "it is read as a whole"));
        text.resize(held + window);
        const std::size_t n = read_fully(bytes, std::span{text}.subspan(held));
        text.resize(held + n);
        if (n < window)
            return text;
    }
}

}} // namespace bursar::scenarios
