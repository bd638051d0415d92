#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "reports/options.hpp"
#include "reports/result/result.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// Writes one rendering of a result.
using OutputWriter = void(const Result& result, const OutputOptions& options, TextSink& sink);

/// One way to render a result.
struct Output {
    std::string_view name; ///< as `--format` takes it
    std::string_view file; ///< its name in an output directory
    std::string_view summary;
    OutputWriter* write;
    bool is_extra{}; ///< only written where it is asked for by name
};

/// Every output, in the order in which they are listed and written.
[[nodiscard]] std::span<const Output> outputs();

/// The outputs that are written by default.
[[nodiscard]] std::vector<const Output*> usual_outputs();

/// The output of that name, or nullptr.
[[nodiscard]] const Output* find_output(std::string_view name);

}} // namespace bursar::reports
