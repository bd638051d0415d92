#include "reports/files/gzip.hpp"

#include <array>
#include <string_view>

#include <zlib.h>

#include "reports/errors/report_error.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr int level = 6;             ///< zlib's own choice
constexpr int gzip_window = 15 + 16; ///< the largest one, with the header of gzip
constexpr int memory_level = 8;      ///< zlib's own choice

/// Packs what is put and hands it on.
class GzipSink final : public TextSink {
  public:
    explicit GzipSink(TextSink& out) : out_{out} {
        if (deflateInit2(
                &stream_, level, Z_DEFLATED, gzip_window, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
            throw ReportError{"no memory is left to compress a file"};
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
            deflate(&stream_, flush_mode); // with room to write in, it cannot fail
            out_.put(std::string_view{packed_.data(), packed_.size() - stream_.avail_out});
        } while (stream_.avail_out == 0);
    }

    TextSink& out_;
    z_stream stream_{};
    std::array<char, 1U << 15U> packed_{};
};

} // namespace

void write_gzip(TextSink& out, const std::function<void(TextSink&)>& write) {
    GzipSink sink{out};
    write(sink);
    sink.finish();
}

}} // namespace bursar::reports
