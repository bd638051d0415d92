#include "scenarios/scenario/workload/gpu_time_file.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/text/line_reader.hpp"

namespace bursar { inline namespace scenarios {

std::vector<std::int64_t> read_gpu_times(const std::string& path) {
    constexpr std::size_t max_lines = 10'000'000;
    const std::unique_ptr<ByteSource> bytes = open_bytes(path);
    LineReader lines{*bytes, path};
    std::vector<std::int64_t> out;
    while (const std::optional<std::string_view> line = lines.next()) {
        if (line->find_first_not_of(" \t") == std::string_view::npos)
            continue;
        if (out.size() == max_lines)
            throw ScenarioError{{{path, lines.line()},
                                 "",
                                 fmt::format("more than {} GPU times", max_lines),
                                 "",
                                 ""}};
        out.push_back(quantity_of(*line, gpu_times, fmt::format("{}:{}", path, lines.line())));
    }
    if (out.empty())
        throw ScenarioError{
            {path, "", "no GPU time", "expected one a line, such as 3.5 gpu-h", ""}};
    return out;
}

}} // namespace bursar::scenarios
