#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "reports/errors/report_error.hpp"
#include "reports/registry.hpp"
#include "reports/result/saved_result.hpp"

using namespace bursar;

/// Whatever bytes a saved result holds: either ReportError, or every output renders it and saving
/// it again gives the same result.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const std::string_view text{reinterpret_cast<const char*>(data), size};
        const Result result = parse_result(text, "fuzz");
        OutputOptions options;
        options.bucket = Duration{result.end.count() / 10 + 1};
        options.share_idle = ShareIdle::usage;
        options.group_by = GroupBy::tenant;
        for (const Output& output : outputs()) {
            StringSink sink;
            output.write(result, options, sink);
            if (output.name == "result" && parse_result(sink.text(), "again") != result)
                std::abort();
        }
    } catch (const ReportError&) {
        // the one way to refuse
    }
    return 0;
}
