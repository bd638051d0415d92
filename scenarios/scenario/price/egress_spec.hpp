#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bursar { inline namespace scenarios {

/// What moving data from one region to another costs: a row of the key `egress`.
struct EgressSpec {
    std::optional<std::string> from; ///< region of a pool; absent: any
    std::optional<std::string> to;   ///< likewise
    double usd_per_gb{};             ///< of 10^9 bytes, >= 0
};

/// The price of the first row that holds for the way; absent: none does.
[[nodiscard]] std::optional<double> egress_usd_per_gb(const std::vector<EgressSpec>& rows,
                                                      const std::string& from,
                                                      const std::string& to);

}} // namespace bursar::scenarios
