#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/units/int128.hpp"

#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/focus/focus_line.hpp"
#include "reports/outputs/options.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/result.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Shares idle time among tenants as --share-idle says. FOCUS 1.3 has columns for it; in a file of
/// version 1.2, idle time has no tenant.
class IdleShares {
  public:
    IdleShares(const Result& result, const PrintedBill& bill, const OutputOptions& options);

    [[nodiscard]] bool empty() const { return parts_.empty(); }
    /// One per tenant with a share; the billionths add up to 10^9.
    [[nodiscard]] const std::vector<IdlePart>& parts() const { return parts_; }
    /// Divides a quantity >= 0 into one part per tenant; the parts add up to it.
    [[nodiscard]] std::vector<int128> of(int128 quantity) const;

  private:
    std::vector<int128> weights_; ///< of parts_
    std::vector<IdlePart> parts_;
};

IdleShares::IdleShares(const Result& result,
                       const PrintedBill& bill,
                       const OutputOptions& options) {
    if (options.focus_version == FocusVersion::v1_2)
        return;
    const std::vector<TenantShare> rows = tenant_shares(result, bill, ShareIdle::none);
    const std::span<const TenantShare> tenants{rows.data(), result.tenants.size()};
    const std::vector<int128> weights = idle_weights(tenants, options.share_idle);
    const std::vector<int128> billionths = share(1'000'000'000, weights);
    const std::string method =
        "share-idle/" + std::string{share_idle_names[static_cast<std::size_t>(options.share_idle)]};
    for (std::size_t i = 0; i < tenants.size(); ++i) {
        if (weights[i] == 0)
            continue;
        IdlePart& part =
            parts_.emplace_back(IdlePart{method, tenants[i].name, billionths[i], std::nullopt});
        if (options.share_idle == ShareIdle::usage)
            part.gpu_hours = tenants[i].printed_allocated;
        weights_.push_back(weights[i]);
    }
}

std::vector<int128> IdleShares::of(int128 quantity) const {
    return share(quantity, weights_);
}

std::int64_t floor_to(std::int64_t ms, Duration step) {
    const std::int64_t rest = ms % step.count();
    return ms - (rest < 0 ? rest + step.count() : rest);
}

/// Converts times since the zero to dates, to the second. A run without dates begins in 1970.
class ChargePeriods {
  public:
    explicit ChargePeriods(const Result& result) : zero_ms_{result.zero_utc_ms.value_or(0)} {}

    [[nodiscard]] FocusFigures of(Duration begin, Duration end) const {
        return {floor_to(zero_ms_ + begin.count(), second),
                floor_to(zero_ms_ + end.count(), second)};
    }
    /// The whole hours that contain the window of a result.
    [[nodiscard]] FocusFigures of_window(const Result& result) const {
        const std::int64_t from_ms = floor_to(zero_ms_ + result.window_begin.count(), hour);
        const std::int64_t to_ms = -floor_to(-zero_ms_ - result.window_end.count(), hour);
        return {from_ms, std::max(to_ms, from_ms + hour.count())};
    }

  private:
    std::int64_t zero_ms_;
};

/// Bought capacity of each pool that is not written yet, with its price.
using Purchases = std::vector<std::vector<std::pair<int128, int128>>>;

class FocusFile {
  public:
    FocusFile(const Result& result, const OutputOptions& options, TextSink& sink)
        : result_{result}, bill_{print_bill(result)}, shares_{result, bill_, options},
          periods_{result}, version_{options.focus_version}, writer_{sink},
          bought_(result.pools.size()), sums_(result.cells.size()), last_(result.cells.size()) {}

    void write() {
        writer_.put_header(version_);
        if (result_.periods.width == Duration{})
            write_cells();
        else
            write_parts();
        write_roundings();
        write_other_costs();
    }

  private:
    /// Writes the rows of one cell and period: one, or one for each tenant that shares it.
    using UsageRows = std::vector<FocusTemplate>;

    [[nodiscard]] FocusTemplate in_version(const FocusLine& line) const { return {line, version_}; }

    [[nodiscard]] bool is_shared(const ResultCell& cell) const {
        return !shares_.empty() && group_of(cell.leaf) == LeafGroup::idle;
    }
    [[nodiscard]] UsageRows rows_of(const ResultCell& cell) const {
        if (!is_shared(cell))
            return {in_version(usage_line(result_, cell))};
        UsageRows rows;
        for (const IdlePart& part : shares_.parts())
            rows.push_back(in_version(allocated_line(result_, cell, part)));
        return rows;
    }

    void write_parts() {
        const PeriodColumns& parts = result_.periods;
        const std::vector<int128> hours = part_hours(result_, bill_);
        std::vector<UsageRows> lines;
        for (const ResultCell& cell : result_.cells)
            lines.push_back(rows_of(cell));
        FocusFigures period;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const Duration from = parts.origin + parts.bucket[i] * parts.width;
            const FocusFigures now = periods_.of(from, from + parts.width);
            if (i > 0 && now.from_ms != period.from_ms)
                write_purchases(period);
            period = now;
            write_usage(lines[parts.cell[i]],
                        parts.cell[i],
                        period,
                        hours[i],
                        parts.held(i),
                        result_.cost_of_period(i));
        }
        write_purchases(period);
    }

    /// Rows of a result that is not divided by time.
    void write_cells() {
        const FocusFigures window = periods_.of_window(result_);
        for (std::size_t i = 0; i < result_.cells.size(); ++i)
            write_usage(rows_of(result_.cells[i]),
                        i,
                        window,
                        bill_.cell_hours[i],
                        result_.cells[i].held,
                        result_.cells[i].cost);
        write_purchases(window);
    }

    void write_usage(const UsageRows& rows,
                     std::size_t cell,
                     FocusFigures figures,
                     int128 micro_hours,
                     SlotTime held,
                     Money cost) {
        last_[cell] = figures;
        if (micro_hours == 0)
            return;
        figures.quantity = micro_hours;
        figures.price = divide_half_up(cost.count(), held.count());
        figures.cost = focus_cost(figures.quantity, figures.price);
        sums_[cell] += figures.cost;
        put_rows(rows, cell, figures);
        const std::uint32_t pool = result_.cells[cell].pool;
        if (is_committed(result_.pools[pool]))
            buy(bought_[pool], figures);
    }

    void put_rows(const UsageRows& rows, std::size_t cell, const FocusFigures& whole) {
        if (!is_shared(result_.cells[cell]))
            return writer_.put(rows.front(), whole);
        const std::vector<int128> quantities = shares_.of(whole.quantity);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            FocusFigures part = whole;
            part.quantity = quantities[i];
            part.cost = focus_cost(part.quantity, part.price);
            writer_.put(rows[i], part);
        }
    }

    static void buy(std::vector<std::pair<int128, int128>>& bought, const FocusFigures& usage) {
        for (auto& [price, quantity] : bought) {
            if (price == usage.price) {
                quantity += usage.quantity;
                return;
            }
        }
        bought.emplace_back(usage.price, usage.quantity);
    }

    void write_purchases(FocusFigures figures) {
        for (std::size_t pool = 0; pool < bought_.size(); ++pool) {
            for (const auto& [price, quantity] : std::exchange(bought_[pool], {})) {
                figures.price = price;
                figures.quantity = quantity;
                figures.cost = focus_cost(quantity, price);
                writer_.put(in_version(purchase_line(result_, result_.pools[pool])), figures);
            }
        }
    }

    void write_roundings() {
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            FocusFigures figures = last_[i].value_or(periods_.of_window(result_));
            figures.cost = bill_.cell_usd[i] * focus_cost_per_micro_usd - sums_[i];
            if (figures.cost != 0)
                writer_.put(in_version(rounding_line(result_, result_.cells[i])), figures);
        }
    }

    void write_other_costs() {
        FocusFigures figures = periods_.of_window(result_);
        figures.quantity = 1'000'000;
        for (std::size_t i = 0; i < result_.run.other_costs.size(); ++i) {
            figures.price = bill_.other_usd[i] * 1000;
            figures.cost = focus_cost(figures.quantity, figures.price);
            writer_.put(in_version(other_cost_line(result_, result_.run.other_costs[i])), figures);
        }
    }

    const Result& result_;
    PrintedBill bill_;
    IdleShares shares_;
    ChargePeriods periods_;
    FocusVersion version_;
    FocusWriter writer_;
    Purchases bought_;
    std::vector<int128> sums_;                      ///< by cell: what its rows cost
    std::vector<std::optional<FocusFigures>> last_; ///< by cell: its last period
};

} // namespace

void write_focus_csv(const Result& result, const OutputOptions& options, TextSink& sink) {
    FocusFile{result, options, sink}.write();
}

}} // namespace bursar::reports
