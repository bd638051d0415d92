#pragma once

#include <filesystem>
#include <functional>

#include "reports/files/input_files.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// Writes one file, whole or not at all, as PendingFile has it: a link's target where `path` is a
/// link. What is no regular file (a pipe, a device) is written to, never replaced. Throws
/// ReportError; OutputIsInput where it is one of `inputs`.
void write_file(const std::filesystem::path& path,
                const InputFiles& inputs,
                const std::function<void(TextSink&)>& write);

}} // namespace bursar::reports
