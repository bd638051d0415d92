#include "reports/files/packing.hpp"

#include "reports/files/gzip.hpp"
#include "reports/files/zstd.hpp"

namespace bursar { inline namespace reports {

void write_packed(Packing packing, TextSink& out, const std::function<void(TextSink&)>& write) {
    switch (packing) {
    case Packing::none:
        return write(out);
    case Packing::gzip:
        return write_gzip(out, write);
    case Packing::zstd:
        return write_zstd(out, write);
    }
}

}} // namespace bursar::reports
