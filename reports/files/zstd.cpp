#include "reports/files/zstd.hpp"

#include <memory>
#include <string_view>
#include <vector>

#include <zstd.h>

#include "reports/errors/report_error.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Packs what is put and hands it on.
class ZstdSink final : public TextSink {
  public:
    explicit ZstdSink(TextSink& out) : out_{out}, stream_{ZSTD_createCCtx()} {
        if (stream_ == nullptr)
            fail();
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

    [[noreturn]] static void fail() { throw ReportError{"no memory is left to compress a file"}; }

    void drain(std::string_view text) override { pack(text, ZSTD_e_continue); }

    void pack(std::string_view text, ZSTD_EndDirective end) {
        ZSTD_inBuffer input{text.data(), text.size(), 0};
        std::size_t left = 0; // to be handed on, where it ends
        do {
            ZSTD_outBuffer output{packed_.data(), packed_.size(), 0};
            left = ZSTD_compressStream2(stream_.get(), &output, &input, end);
            if (ZSTD_isError(left) != 0)
                fail(); // of what can fail, nothing else is possible here
            out_.put(std::string_view{packed_.data(), output.pos});
        } while (input.pos < input.size || (end == ZSTD_e_end && left > 0));
    }

    TextSink& out_;
    std::unique_ptr<ZSTD_CCtx, Free> stream_;
    std::vector<char> packed_ = std::vector<char>(ZSTD_CStreamOutSize());
};

} // namespace

void write_zstd(TextSink& out, const std::function<void(TextSink&)>& write) {
    ZstdSink sink{out};
    write(sink);
    sink.finish();
}

}} // namespace bursar::reports
