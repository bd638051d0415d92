#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "reports/errors/report_error.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/saved_result.hpp"

#include "tests/reports/support/content_hash.hpp"

using namespace bursar;

/// Whatever bytes a saved result with the right hash holds: either it is refused, or every index
/// leads somewhere, and saving it again gives the same result.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const std::string_view text{reinterpret_cast<const char*>(data), size};
        const Result result = parse_result(test::with_content_hash(text), "fuzz");
        StringSink sink;
        write_saved_result(result, {}, sink);
        if (parse_result(sink.text(), "again") != result)
            std::abort();
    } catch (const ReportError&) {
        // the one way to refuse
    }
    return 0;
}
