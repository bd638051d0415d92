#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/plan/plan.hpp"

namespace bursar { inline namespace scenarios {

/// Numbers the distinct shapes of a workload's jobs.
class ShapeTable {
  public:
    /// The number of a shape, in order of first sight; nothing once 65,536 are taken.
    std::optional<std::uint16_t> number_of(const JobShape& shape);

    /// Sorts the shapes into the order in which idle time is split over their demand, and renumbers
    /// those of jobs and forms. Fewest permitted pools first, then by the names of those pools,
    /// then the smaller demand.
    void settle(Plan& plan) const;

  private:
    std::map<JobShape, std::uint16_t> numbers_;
    JobShape last_{};
    std::optional<std::uint16_t> last_number_;
};

}} // namespace bursar::scenarios
