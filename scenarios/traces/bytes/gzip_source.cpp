#include "scenarios/traces/bytes/gzip_source.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <utility>

#include <zlib.h>

#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
namespace {

[[noreturn]] void fail(const std::string& file, const char* problem, const char* why) {
    fail_input(file, mistake(problem, why != nullptr ? why : ""));
}

constexpr int gzip_only = 15 + 16; // zlib's windowBits: largest window, gzip header required

} // namespace

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

}} // namespace bursar::scenarios
