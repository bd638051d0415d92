#pragma once

#include <string_view>

#include "tools/simulate/progress.hpp"

namespace bursar { inline namespace tools {

/// A line on stderr that says how much of something is done, at what rate, and when all will be.
/// Only on a terminal, and wiped out again at the end.
class ProgressLine {
  public:
    /// noun: what is counted, "jobs"; must outlive this.
    explicit ProgressLine(std::string_view noun) : noun_{noun} {}
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// What keeps the line up to date, for as long as this lives; empty where nobody would see it.
    [[nodiscard]] OnProgress listener();

  private:
    void show(const ProgressReport& progress);

    std::string_view noun_;
    bool shown_{};
};

/// What `work` gives that is handed a listener, with the line on stderr until it is done.
template <class Work>
auto with_progress(std::string_view noun, const Work& work) {
    ProgressLine line{noun};
    return work(line.listener());
}

}} // namespace bursar::tools
