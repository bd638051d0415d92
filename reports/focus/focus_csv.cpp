#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/units/int128.hpp"

#include "reports/bill/months.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/spend_curve.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/focus/charge_periods.hpp"
#include "reports/focus/focus_line.hpp"
#include "reports/outputs/options.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/result.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Shares idle time among tenants as --share-idle says.
class IdleShares {
  public:
    IdleShares(const Result& result, const PrintedBill& bill, ShareIdle mode);

    [[nodiscard]] bool empty() const { return parts_.empty(); }
    /// One per tenant with a share; the billionths add up to 10^9.
    [[nodiscard]] const std::vector<IdlePart>& parts() const { return parts_; }
    /// Divides a quantity >= 0 into one part per tenant; the parts add up to it.
    [[nodiscard]] std::vector<int128> of(int128 quantity) const {
        return share(quantity, weights_);
    }

  private:
    std::vector<int128> weights_; ///< of parts_
    std::vector<IdlePart> parts_;
};

IdleShares::IdleShares(const Result& result, const PrintedBill& bill, ShareIdle mode) {
    const std::vector<TenantShare> rows = tenant_shares(result, bill, ShareIdle::none);
    const std::span<const TenantShare> tenants{rows.data(), result.tenants.size()};
    const std::vector<int128> weights = idle_weights(tenants, mode);
    const std::vector<int128> billionths = share(1'000'000'000, weights);
    const std::string method =
        "share-idle/" + std::string{share_idle_names[static_cast<std::size_t>(mode)]};
    for (std::size_t i = 0; i < tenants.size(); ++i) {
        if (weights[i] == 0)
            continue;
        IdlePart& part =
            parts_.emplace_back(IdlePart{method, tenants[i].name, billionths[i], std::nullopt});
        if (mode == ShareIdle::usage)
            part.gpu_hours = tenants[i].printed_allocated;
        weights_.push_back(weights[i]);
    }
}

/// Bought capacity of each pool that is not written yet, with its price.
using Purchases = std::vector<std::vector<std::pair<int128, int128>>>;

/// A cell in a month of the bill.
struct CellMonth {
    ChargePeriod last{};         ///< of its rows
    int128 due{};                ///< what other files print, micro-USD
    std::vector<int128> parts;   ///< of `due`, one for each tenant that shares it
    std::vector<int128> written; ///< cost of its rows, 10^-15 USD, by part
};

class FocusFile {
  public:
    FocusFile(const Result& result, const OutputOptions& options, TextSink& sink)
        : result_{result}, bill_{print_bill(result)}, shares_{result, bill_, options.share_idle},
          periods_{result}, version_{options.focus_version}, writer_{sink},
          bought_(result.pools.size()), booked_(result.cells.size()) {
        for (const ResultCell& cell : result.cells)
            lines_.push_back(lines_of(cell, usage_line(result_, cell)));
    }

    void write() {
        writer_.put_header(version_);
        if (result_.periods.width == Duration{})
            write_cells();
        else
            write_parts();
        settle_months();
        settle_tenants();
        write_roundings();
        write_other_costs();
    }

  private:
    /// The rows of one cell and period: one, or one for each tenant that shares it.
    using Lines = std::vector<FocusTemplate>;

    [[nodiscard]] bool is_shared(const ResultCell& cell) const {
        return !shares_.empty() && group_of(cell.leaf) == LeafGroup::idle;
    }
    /// Whether it is charged for time after the end of the run, or of a node.
    [[nodiscard]] static bool is_past_end(const ResultCell& cell) {
        return cell.leaf == Leaf::unavail_reserved_unlaunched;
    }
    [[nodiscard]] Lines lines_of(const ResultCell& cell, const FocusLine& line) const {
        if (!is_shared(cell))
            return {FocusTemplate{line, version_}};
        Lines lines;
        for (const IdlePart& part : shares_.parts())
            lines.emplace_back(allocate(line, result_.pools[cell.pool], part, version_), version_);
        return lines;
    }

    void write_parts() {
        const PeriodColumns& parts = result_.periods;
        const std::vector<int128> hours = part_hours(result_, bill_);
        const std::vector<int128> usd = part_usd(result_, bill_);
        std::vector<ChargePeriod> period;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (i == 0 || parts.bucket[i] != parts.bucket[i - 1]) {
                write_purchases(period);
                const Duration from = parts.origin + parts.bucket[i] * parts.width;
                period = periods_.divide(from, from + parts.width);
            }
            const std::uint32_t cell = parts.cell[i];
            if (!is_past_end(result_.cells[cell]))
                write_usage(cell,
                            period,
                            weights_of(result_.cells[cell].pool, period),
                            {hours[i], usd[i], parts.held(i), result_.cost_of_period(i)});
        }
        write_past_end();
        write_purchases(period);
    }

    /// Rows of a result that is not divided by time.
    void write_cells() {
        const std::vector<ChargePeriod> window = periods_.window();
        for (std::size_t i = 0; i < result_.cells.size(); ++i)
            if (const ResultCell& cell = result_.cells[i]; !is_past_end(cell))
                write_usage(i,
                            window,
                            weights_of(cell.pool, window),
                            {bill_.cell_hours[i], bill_.cell_usd[i], cell.held, cell.cost});
        write_past_end();
        write_purchases(window);
    }

    /// What is charged past the end lies in no month of the bill: it is spread over those after
    /// them, as long as the pool is paid for.
    void write_past_end() {
        for (std::size_t i = 0; i < result_.cells.size(); ++i) {
            const ResultCell& cell = result_.cells[i];
            if (!is_past_end(cell))
                continue;
            const ResultPool& pool = result_.pools[cell.pool];
            const int128 slots = int128{pool.num_gpus()} * slots_per_gpu;
            const bool has_end = slots > 0 && !pool.has_range();
            const int128 length_ms =
                has_end ? (cell.held.count() + slots - 1) / slots : int128{hour.count()};
            const std::vector<ChargePeriod> months =
                periods_.after(Duration{static_cast<std::int64_t>(std::max<int128>(length_ms, 1))});
            write_usage(i,
                        months,
                        times_of(months),
                        {bill_.cell_hours[i], bill_.cell_usd[i], cell.held, cell.cost});
        }
    }

    /// Of a part of a cell: as files print it, in millionths, and exactly.
    struct Charge {
        int128 hours{}, usd{};
        SlotTime held;
        Money cost;
    };

    static std::vector<int128> times_of(const std::vector<ChargePeriod>& periods) {
        std::vector<int128> weights;
        for (const ChargePeriod& period : periods)
            weights.push_back((period.end - period.begin).count());
        return weights;
    }
    /// What the pool costs in each of the periods, if there are several; else the time.
    std::vector<int128> weights_of(std::uint32_t pool, const std::vector<ChargePeriod>& periods) {
        if (periods.size() < 2)
            return {};
        if (curves_.empty())
            for (std::uint32_t p = 0; p < result_.pools.size(); ++p)
                curves_.push_back(SpendCurve::of_pools(result_, p));
        std::vector<int128> weights;
        for (const ChargePeriod& period : periods)
            weights.push_back(
                std::max<int128>(curves_[pool].between(period.begin, period.end).count(), 0));
        return std::ranges::count(weights, 0) == std::ssize(weights) ? times_of(periods) : weights;
    }

    void write_usage(std::size_t cell,
                     const std::vector<ChargePeriod>& periods,
                     const std::vector<int128>& weights,
                     const Charge& charge) {
        const bool is_one = periods.size() == 1;
        const std::vector<int128> hours =
            is_one ? std::vector{charge.hours} : share(charge.hours, weights);
        const std::vector<int128> usd =
            is_one ? std::vector{charge.usd} : share(charge.usd, weights);
        for (std::size_t i = 0; i < periods.size(); ++i) {
            CellMonth& booked = booked_in(cell, periods[i]);
            booked.due += usd[i];
            if (hours[i] == 0)
                continue;
            FocusFigures figures{periods[i]};
            figures.quantity = hours[i];
            figures.price = divide_half_up(charge.cost.count(), charge.held.count());
            figures.cost = focus_cost(figures.quantity, figures.price);
            put_rows(cell, figures, booked);
            const std::uint32_t pool = result_.cells[cell].pool;
            if (is_committed(result_.pools[pool]))
                buy(bought_[pool], figures);
        }
    }

    CellMonth& booked_in(std::size_t cell, const ChargePeriod& period) {
        CellMonth& booked = booked_[cell][period.month];
        booked.last = period;
        booked.written.resize(lines_[cell].size());
        return booked;
    }

    void put_rows(std::size_t cell, const FocusFigures& whole, CellMonth& booked) {
        const Lines& lines = lines_[cell];
        const std::vector<int128> quantities = is_shared(result_.cells[cell])
                                                   ? shares_.of(whole.quantity)
                                                   : std::vector<int128>{whole.quantity};
        for (std::size_t i = 0; i < lines.size(); ++i) {
            FocusFigures part = whole;
            part.quantity = quantities[i];
            part.cost = focus_cost(part.quantity, part.price);
            booked.written[i] += part.cost;
            writer_.put(lines[i], part);
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

    /// In the last of the periods, if there are any.
    void write_purchases(const std::vector<ChargePeriod>& periods) {
        for (std::size_t pool = 0; pool < bought_.size() && !periods.empty(); ++pool) {
            for (const auto& [price, quantity] : std::exchange(bought_[pool], {})) {
                const FocusFigures figures{
                    periods.back(), quantity, price, focus_cost(quantity, price)};
                writer_.put({purchase_line(result_, result_.pools[pool]), version_}, figures);
            }
        }
    }

    /// Moves fractions of a cent between the months of cells, so that each month adds up to what
    /// the bill has for it. The last column is what lies past these months.
    void settle_months() {
        std::vector<int128> columns;
        for (const PrintedMonth& month : printed_months(result_, bill_))
            columns.push_back(month.usd);
        if (columns.empty())
            return;
        const std::size_t num_months = periods_.num_months();
        columns.resize(num_months + 1);
        std::vector<std::vector<int128>> rows;
        for (const auto& months : booked_) {
            std::vector<int128>& row = rows.emplace_back(columns.size());
            for (const auto& [month, booked] : months)
                row[std::min(month, num_months)] += booked.due;
        }
        const std::vector<std::vector<int128>> before = rows;
        settle_columns(rows, columns);
        for (std::size_t cell = 0; cell < rows.size(); ++cell)
            for (std::size_t month = 0; month < columns.size(); ++month)
                if (const int128 more = rows[cell][month] - before[cell][month]; more != 0)
                    booked_near(cell, month).due += more;
    }

    /// The first that a cell has of a month of the bill, or of those past them.
    CellMonth& booked_near(std::size_t cell, std::size_t month) {
        const auto found = booked_[cell].lower_bound(month);
        if (found != booked_[cell].end() &&
            (found->first == month || month == periods_.num_months()))
            return found->second;
        for (const ChargePeriod& period : periods_.window())
            if (period.month == month)
                return booked_in(cell, period);
        return booked_in(cell, periods_.after(hour).front());
    }

    /// Divides what is due of idle time, so that the parts of a tenant add up to its share in other
    /// files.
    void settle_tenants() {
        std::vector<CellMonth*> idle;
        std::vector<std::vector<int128>> rows;
        int128 all = 0;
        for (std::size_t cell = 0; cell < booked_.size(); ++cell) {
            for (auto& [month, booked] : booked_[cell]) {
                booked.parts = {booked.due};
                if (!is_shared(result_.cells[cell]))
                    continue;
                idle.push_back(&booked);
                rows.push_back(shares_.of(booked.due));
                all += booked.due;
            }
        }
        if (idle.empty())
            return;
        settle_columns(rows, shares_.of(all));
        for (std::size_t i = 0; i < idle.size(); ++i)
            idle[i]->parts = std::move(rows[i]);
    }

    /// Differences between what is due and what the rows cost. In 1.3 a charge is divided among all
    /// tenants or not at all.
    void write_roundings() {
        for (std::size_t cell = 0; cell < booked_.size(); ++cell) {
            const Lines lines =
                lines_of(result_.cells[cell], rounding_line(result_, result_.cells[cell]));
            for (const auto& [month, booked] : booked_[cell]) {
                std::vector<int128> off;
                for (std::size_t i = 0; i < lines.size(); ++i)
                    off.push_back(booked.parts[i] * focus_cost_per_micro_usd - booked.written[i]);
                const bool is_any = std::ranges::count(off, 0) != std::ssize(off);
                for (std::size_t i = 0; i < lines.size(); ++i)
                    if (off[i] != 0 || (is_any && version_ == FocusVersion::v1_3))
                        writer_.put(lines[i], {booked.last, 0, 0, off[i]});
            }
        }
    }

    void write_other_costs() {
        for (std::size_t i = 0; i < result_.run.other_costs.size(); ++i) {
            const OtherCost& other = result_.run.other_costs[i];
            FocusFigures figures{periods_.window().back()};
            figures.from_ms = periods_.window().front().from_ms;
            figures.cost = bill_.other_usd[i] * focus_cost_per_micro_usd;
            if (!is_unused_commitment(other)) {
                figures.quantity = 1'000'000;
                figures.price = bill_.other_usd[i] * 1000;
                writer_.put({other_cost_line(result_, other), version_}, figures);
            } else if (figures.cost != 0) {
                figures.quantity = bill_.other_usd[i];
                figures.price = nano_usd_per_usd;
                writer_.put({other_cost_line(result_, other), version_}, figures);
                writer_.put({commitment_purchase_line(result_, other), version_}, figures);
            }
        }
    }

    const Result& result_;
    PrintedBill bill_;
    IdleShares shares_;
    ChargePeriods periods_;
    FocusVersion version_;
    FocusWriter writer_;
    Purchases bought_;
    std::vector<Lines> lines_;                             ///< usage, by cell
    std::vector<std::map<std::size_t, CellMonth>> booked_; ///< by cell and number of the month
    std::vector<SpendCurve> curves_;                       ///< by pool, where they are needed
};

} // namespace

void write_focus_csv(const Result& result, const OutputOptions& options, TextSink& sink) {
    FocusFile{result, options, sink}.write();
}

}} // namespace bursar::reports
