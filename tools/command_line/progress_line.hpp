#pragma once

#include <string_view>

#include "tools/simulate/progress.hpp"

namespace bursar { inline namespace tools {

/// A line on stderr with progress, rate and expected end. Only on a terminal; erased at the end.
class ProgressLine {
  public:
    /// noun: what is counted, "jobs"; must outlive this.
    explicit ProgressLine(std::string_view noun) : noun_{noun} {}
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Updates the line while this lives; empty if stderr is not a terminal.
    [[nodiscard]] OnProgress listener();

  private:
    void show(const ProgressReport& progress);

    std::string_view noun_;
    bool shown_{};
};

/// Calls `work` with a listener that shows the progress line, and returns its result.
template <class Work>
auto with_progress(std::string_view noun, const Work& work) {
    ProgressLine line{noun};
    return work(line.listener());
}

}} // namespace bursar::tools
