#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// Findings of the rows of a file. Findings of one cause are reported once: at the first row, with
/// the next lines and the number of further ones.
class AlikeFindings {
  public:
    /// cause: equal for findings that are reported together. Findings of further causes than the
    /// first max_shown_findings are only counted.
    void add(Finding finding, const std::string& cause);

    [[nodiscard]] bool empty() const { return groups_.empty(); }
    /// Number of findings of causes that are only counted.
    [[nodiscard]] std::uint64_t num_unlisted() const { return num_unlisted_; }
    /// One per cause, by their first finding.
    [[nodiscard]] std::vector<Finding> shown() const;

  private:
    struct Group {
        std::string cause;
        Finding first;
        std::vector<std::uint64_t> next_lines; ///< of the next few findings
        std::uint64_t num_more{};
    };
    std::vector<Group> groups_;
    std::uint64_t num_unlisted_{};
};

}} // namespace bursar::scenarios
