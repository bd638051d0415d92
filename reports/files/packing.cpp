#include "reports/files/packing.hpp"

#include <array>
#include <memory>
#include <vector>

#include <zlib.h>
#include <zstd.h>

#include "reports/errors/report_error.hpp"

namespace bursar { inline namespace reports {
namespace {

[[noreturn]] void fail_packing() {
    throw ReportError{"no memory is left to compress a file"};
}

constexpr int level = 6;             ///< zlib's own choice
constexpr int gzip_window = 15 + 16; ///< the largest one, with the header of gzip
constexpr int memory_level = 8;      ///< zlib's own choice

/// Compresses its text and hands it on.
class GzipSink final : public TextSink {
  public:
    explicit GzipSink(TextSink& out) : out_{out} {
        if (deflateInit2(
                &stream_, level, Z_DEFLATED, gzip_window, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
            fail_packing();
    }
    ~GzipSink() override { deflateEnd(&stream_); }
    GzipSink(const GzipSink&) = delete;
    GzipSink& operator=(const GzipSink&) = delete;

    /// What is left, and the end of the file.
    void finish() {
        flush();
        pack({}, Z_FINISH);
    }

  private:
    void drain(std::string_view text) override { pack(text, Z_NO_FLUSH); }

    void pack(std::string_view text, int flush_mode) {
        // zlib reads from it only; no text that is put at once has 4 GB.
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
        stream_.avail_in = static_cast<uInt>(text.size());
        do {
            stream_.next_out = reinterpret_cast<Bytef*>(packed_.data());
            stream_.avail_out = static_cast<uInt>(packed_.size());
            deflate(&stream_, flush_mode); // cannot fail while there is space for output
            out_.put(std::string_view{packed_.data(), packed_.size() - stream_.avail_out});
        } while (stream_.avail_out == 0);
    }

    TextSink& out_;
    z_stream stream_{};
    std::array<char, 1U << 15U> packed_{};
};

/// Likewise.
class ZstdSink final : public TextSink {
  public:
    explicit ZstdSink(TextSink& out) : out_{out}, stream_{ZSTD_createCCtx()} {
        if (stream_ == nullptr)
            fail_packing();
        ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1); // its level is zstd's own
    }

    /// What is left, and the end of the file.
    void finish() {
        flush();
        pack({}, ZSTD_e_end);
    }

  private:
    struct Free {
        void operator()(ZSTD_CCtx* stream) const { ZSTD_freeCCtx(stream); }
    };

    void drain(std::string_view text) override { pack(text, ZSTD_e_continue); }

    void pack(std::string_view text, ZSTD_EndDirective end) {
        ZSTD_inBuffer input{text.data(), text.size(), 0};
        std::size_t left = 0; // to be handed on, where it ends
        do {
            ZSTD_outBuffer output{packed_.data(), packed_.size(), 0};
            left = ZSTD_compressStream2(stream_.get(), &output, &input, end);
            if (ZSTD_isError(left) != 0)
                fail_packing(); // the only error that is possible here
            out_.put(std::string_view{packed_.data(), output.pos});
        } while (input.pos < input.size || (end == ZSTD_e_end && left > 0));
    }

    TextSink& out_;
    std::unique_ptr<ZSTD_CCtx, Free> stream_;
    std::vector<char> packed_ = std::vector<char>(ZSTD_CStreamOutSize());
};

template <class Sink>
void write_through(Sink&& sink, const std::function<void(TextSink&)>& write) {
    write(sink);
    sink.finish();
}

} // namespace

void write_packed(Packing packing, TextSink& out, const std::function<void(TextSink&)>& write) {
    switch (packing) {
    case Packing::none:
        return write(out);
    case Packing::gzip:
        return write_through(GzipSink{out}, write);
    case Packing::zstd:
        return write_through(ZstdSink{out}, write);
    }
}

}} // namespace bursar::reports
