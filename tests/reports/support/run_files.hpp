#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <rapidcheck.h>

#include "sim/plan/labels.hpp"

#include "policies/runs/simulate.hpp"

#include "reports/outputs/registry.hpp"
#include "reports/result/add_periods.hpp"
#include "reports/result/add_places.hpp"
#include "reports/result/result.hpp"

#include "tests/reports/support/csv.hpp"

namespace bursar::test {

/// A file by the names of its columns.
class File {
  public:
    File(const Result& result, std::string_view output) {
        StringSink sink;
        find_output(output)->write(result, {}, sink);
        rows_ = parse_csv(sink.text());
        for (std::size_t column = 0; column < rows_[0].size(); ++column)
            columns_[rows_[0][column]] = column;
    }
    [[nodiscard]] std::size_t size() const { return rows_.size() - 1; }
    [[nodiscard]] const std::string& text(std::size_t row, const std::string& column) const {
        return rows_[row + 1][columns_.at(column)];
    }
    /// In millionths; the files round to that.
    [[nodiscard]] std::int64_t micro(std::size_t row, const std::string& column) const {
        const std::string& decimal = text(row, column);
        const std::size_t point = std::min(decimal.find('.'), decimal.size());
        std::string fraction = point < decimal.size() ? decimal.substr(point + 1) : "";
        RC_ASSERT(fraction.size() <= 6U);
        fraction.resize(6, '0');
        return std::stoll(decimal.substr(0, point) + fraction);
    }

  private:
    std::vector<std::vector<std::string>> rows_;
    std::map<std::string, std::size_t> columns_;
};

/// Names for the numbers of a plan.
inline Labels labels_of(const Plan& plan) {
    Labels out;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        out.pools.push_back("pool " + std::to_string(pool));
    out.pool_gpus.assign(plan.pools.size(), "V100");
    out.pool_regions.resize(plan.pools.size());
    for (std::uint32_t tenant = 0; tenant < plan.num_tenants; ++tenant)
        out.tenants.push_back("tenant " + std::to_string(tenant));
    return out;
}

/// The result of a run, with a timeline and the nodes of attempts, divided by time.
inline Result result_of(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace{1}; // grows as needed
    const Run run = simulate(plan,
                             order_for(plan, choice),
                             choice,
                             Record::timeline,
                             workspace,
                             nullptr,
                             BucketWidth{7 * second, -2 * second});
    if (run.outcome.status != RunStatus::ok)
        throw std::runtime_error{"the run has no result"};
    Result result = make_result(plan, labels_of(plan), run.outcome, run.jobs, run.timeline, {});
    add_periods(run.by_time, run.outcome, result);
    add_places(run.places, result);
    return result;
}

} // namespace bursar::test
