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

// zlib and libzstd are called directly, not through Boost.Iostreams 1.74 (Debian 12). That reads a
// truncated zstd file as a shorter one, without an error. Its errors about gzip data have codes
// instead of zlib's messages, with one code for truncated and corrupt data.

/// Inflates gzip data, of one member or several one after the other (RFC 1952).
/// Throws ScenarioError naming `file` when the data end early or are damaged.
class GzipSource final : public ByteSource {
  public:
    GzipSource(std::string file, std::unique_ptr<ByteSource> packed)
        : file_{std::move(file)}, packed_{std::move(packed)} {
        if (inflateInit2(&stream_, gzip_only) != Z_OK)
            throw std::bad_alloc{};
    }
    ~GzipSource() override { inflateEnd(&stream_); }

    std::size_t read(std::span<char> into) override {
        const std::size_t wanted =
            std::min<std::size_t>(into.size(), std::numeric_limits<uInt>::max());
        stream_.next_out = reinterpret_cast<Bytef*>(into.data());
        stream_.avail_out = static_cast<uInt>(wanted);
        while (!at_end_ && stream_.avail_out == wanted) {
            if (stream_.avail_in == 0 && !refill())
                fail_input(file_,
                           mistake("truncated gzip data", "the file ends inside a gzip member"));
            const int result = inflate(&stream_, Z_NO_FLUSH);
            if (result == Z_STREAM_END)
                next_member();
            else if (result == Z_MEM_ERROR)
                throw std::bad_alloc{};
            else if (result != Z_OK)
                fail_input(file_,
                           mistake("corrupt gzip data", stream_.msg != nullptr ? stream_.msg : ""));
        }
        return wanted - stream_.avail_out;
    }
    [[nodiscard]] bool is_unpacked() const override { return true; }

  private:
    static constexpr int gzip_only = 15 + 16; // zlib's windowBits: largest window, gzip header

    /// False at the end of the packed bytes.
    bool refill() {
        const std::size_t n = packed_->read(input_);
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        stream_.avail_in = static_cast<uInt>(n);
        return n > 0;
    }
    void next_member() {
        if (stream_.avail_in == 0 && !refill())
            at_end_ = true;
        else
            inflateReset(&stream_);
    }

    std::string file_;
    std::unique_ptr<ByteSource> packed_;
    z_stream stream_{};
    std::array<char, 64 * 1024> input_{};
    bool at_end_{}; // the last member is complete and no bytes follow it
};

/// Decompresses Zstandard data, of one frame or several one after the other (RFC 8878).
/// Throws ScenarioError naming `file` when the data end early or are damaged.
class ZstdSource final : public ByteSource {
  public:
    ZstdSource(std::string file, std::unique_ptr<ByteSource> packed)
        : file_{std::move(file)}, packed_{std::move(packed)} {
        if (stream_ == nullptr)
            throw std::bad_alloc{};
    }
    ~ZstdSource() override { ZSTD_freeDStream(stream_); }

    std::size_t read(std::span<char> into) override {
        ZSTD_outBuffer output{into.data(), into.size(), 0};
        bool at_end = false;
        while (output.pos == 0) {
            if (input_.pos == input_.size && !at_end) {
                input_.size = packed_->read(storage_);
                input_.pos = 0;
                at_end = input_.size == 0;
                if (at_end && !inside_frame_)
                    return 0;
            }
            // At the end of the input the decompressor may still have output of the last block.
            const std::size_t result = ZSTD_decompressStream(stream_, &output, &input_);
            if (ZSTD_isError(result) != 0)
                fail_input(file_, mistake("corrupt zstd data", ZSTD_getErrorName(result)));
            inside_frame_ = result != 0;
            if (at_end && output.pos == 0)
                fail_input(file_, mistake("truncated zstd data", "the file ends inside a frame"));
        }
        return output.pos;
    }
    [[nodiscard]] bool is_unpacked() const override { return true; }

  private:
    std::string file_;
    std::unique_ptr<ByteSource> packed_;
    ZSTD_DStream* stream_{ZSTD_createDStream()};
    std::vector<char> storage_ = std::vector<char>(ZSTD_DStreamInSize());
    ZSTD_inBuffer input_{storage_.data(), 0, 0};
    bool inside_frame_{true}; // an empty file is an unfinished frame
};

/// Throws ScenarioError where `num_bytes` of `bytes` are more than are read of such a file.
void check_size(std::size_t num_bytes, const ByteSource& bytes, const std::string& file) {
    if (bytes.is_unpacked() && num_bytes > max_unpacked_bytes)
        fail_input(file,
                   mistake("larger than 256 MiB", "unpacked; only traces of rows may be larger"));
    if (num_bytes > max_plain_bytes)
        fail_input(file, mistake("larger than 1 GiB", "only traces of rows may be larger"));
}

/// Bytes of another source, as long as they are not too many.
class BoundedSource final : public ByteSource {
  public:
    BoundedSource(std::string file, std::unique_ptr<ByteSource> bytes)
        : file_{std::move(file)}, bytes_{std::move(bytes)} {}

    std::size_t read(std::span<char> into) override {
        const std::size_t n = bytes_->read(into);
        num_read_ += n;
        check_size(num_read_, *bytes_, file_);
        return n;
    }
    [[nodiscard]] bool is_unpacked() const override { return bytes_->is_unpacked(); }

  private:
    std::string file_;
    std::unique_ptr<ByteSource> bytes_;
    std::size_t num_read_{};
};

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
    return std::make_unique<BoundedSource>(path,
                                           decompressed(path, std::make_unique<FileSource>(path)));
}

std::string whole_text(ByteSource& bytes, const std::string& file) {
    constexpr std::size_t window = std::size_t{1} << 16;
    std::string text;
    while (true) {
        const std::size_t held = text.size();
        check_size(held, bytes, file);
        text.resize(held + window);
        const std::size_t n = read_fully(bytes, std::span{text}.subspan(held));
        text.resize(held + n);
        if (n < window)
            return text;
    }
}

}} // namespace bursar::scenarios
