#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// Findings of the rows of a file. Those of one cause are told once: at the first row, with the
/// lines of the next and how many more there are.
class AlikeFindings {
  public:
    /// cause: what makes findings alike; of those past the first max_shown_findings causes only
    /// the number is kept.
    void add(Finding finding, const std::string& cause);

    [[nodiscard]] bool empty() const { return groups_.empty(); }
    /// Findings that belong to none of the kept causes.
    [[nodiscard]] std::uint64_t num_untold() const { return num_untold_; }
    /// One per cause, in the order of their first.
    [[nodiscard]] std::vector<Finding> told() const;

  private:
    struct Group {
        std::string cause;
        Finding first;
        std::vector<std::uint64_t> next_lines; ///< of those behind the first; the nearest few
        std::uint64_t num_more{};
    };
    std::vector<Group> groups_;
    std::uint64_t num_untold_{};
};

}} // namespace bursar::scenarios
