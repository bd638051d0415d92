#pragma once

#include <cstddef>
#include <vector>

#include "models/units/int128.hpp"

#include "reports/bill/printed_bill.hpp"
#include "reports/focus/focus_lines.hpp"
#include "reports/options.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// How a file shares idle time among tenants, as --share-idle asks: FOCUS 1.3 has columns for it,
/// 1.2 has none, and there idle time stays nobody's.
class IdleShares {
  public:
    IdleShares(const Result& result, const PrintedBill& bill, const OutputOptions& options);

    [[nodiscard]] bool empty() const { return parts_.empty(); }
    /// Of each tenant that takes part; their billionths add up to 10^9.
    [[nodiscard]] const std::vector<IdlePart>& parts() const { return parts_; }
    /// A quantity >= 0 in as many parts, which add up to it.
    [[nodiscard]] std::vector<int128> of(int128 quantity) const;

  private:
    std::vector<int128> weights_; ///< of parts_
    std::vector<IdlePart> parts_;
};

}} // namespace bursar::reports
