#include "tools/command_line/progress_line.hpp"

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "tools/command_line/terminal.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::string_view wipe_line = "\r\x1b[K";

void put_progress(std::string_view line) {
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
}

std::string text_of(const ProgressReport& progress, std::string_view noun) {
    if (progress.done == 0)
        return fmt::format("0 of {} {}", progress.total, noun);
    const double rate = static_cast<double>(progress.done) /
                        std::chrono::duration<double>(progress.elapsed).count();
    return fmt::format("{} of {} {}  {}/s  {:.0f} s left",
                       progress.done,
                       progress.total,
                       noun,
                       rate < 1e5 ? fmt::format("{:.1f}", rate)
                                  : fmt::format("{:.1f} M", rate / 1e6),
                       static_cast<double>(progress.total - progress.done) / rate);
}

} // namespace

ProgressLine::~ProgressLine() {
    if (!shown_)
        return;
    put_progress(wipe_line);
}

OnProgress ProgressLine::listener() {
    if (!is_terminal(stderr))
        return {};
    return [this](const ProgressReport& progress) { show(progress); };
}

void ProgressLine::show(const ProgressReport& progress) {
    shown_ = true;
    put_progress(fmt::format("{}{}", wipe_line, text_of(progress, noun_)));
}

}} // namespace bursar::tools
