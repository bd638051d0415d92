#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/plan/plan.hpp"

namespace bursar {

/// Numbers the distinct (gang size, permitted pools) pairs of a workload.
class ShapeTable {
  public:
    /// The number of a shape, in order of first sight; nothing once 65,536 are taken.
    std::optional<std::uint16_t> number_of(std::uint32_t gpus, std::uint64_t permitted_pools);

    /// Sorts the shapes into the order in which the idle split consumes their demand — fewest
    /// permitted pools first, then by the names of those pools, then the smaller gang — and
    /// renumbers `column`.
    void settle(Plan& plan, std::vector<std::uint16_t>& column) const;

  private:
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint16_t> numbers_;
    std::pair<std::uint32_t, std::uint64_t> last_{};
    std::optional<std::uint16_t> last_number_;
};

} // namespace bursar
