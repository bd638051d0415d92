#include "scenarios/traces/bytes/zstd_source.hpp"

#include <new>
#include <utility>
#include <vector>

#include <zstd.h>

#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
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

}} // namespace bursar::scenarios
