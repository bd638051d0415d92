#include "reports/bill/costliest_jobs.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "reports/bill/leaf_sums.hpp"
#include "reports/result/job_holding.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/rounding/printed_units.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr int128 money_per_usd_cent = money_per_usd / 100;

/// Keeps the `most` dearest of the jobs that are shown to it.
class Dearest {
  public:
    explicit Dearest(std::size_t most) : most_{most} {}

    void add(const JobCost& job) {
        if (heap_.size() == most_ && (most_ == 0 || !is_dearer(job, heap_.front())))
            return;
        if (heap_.size() == most_) {
            std::ranges::pop_heap(heap_, is_dearer);
            heap_.pop_back();
        }
        heap_.push_back(job);
        std::ranges::push_heap(heap_, is_dearer);
    }

    [[nodiscard]] std::vector<JobCost> sorted() && {
        std::ranges::sort_heap(heap_, is_dearer);
        return std::move(heap_);
    }

  private:
    static bool is_dearer(const JobCost& a, const JobCost& b) {
        return a.cost != b.cost ? a.cost > b.cost : a.job < b.job;
    }

    std::size_t most_;
    std::vector<JobCost> heap_; ///< the least dear in front
};

BillRow row_of(std::string label, SlotTime held, Money cost) {
    BillRow row;
    row.label = std::move(label);
    row.held = held;
    row.cost = cost;
    return row;
}

/// A share that is rounded by itself.
int128 lone_permille(int128 part, int128 whole) {
    return whole > 0 ? Fraction{part, whole}.permille() : 0;
}

/// Cents and shares of rows that add up to what is paid.
void apportion(std::vector<BillRow>& rows, const BillRow& paid) {
    std::vector<int128> cost;
    std::vector<int128> held;
    for (const BillRow& row : rows) {
        cost.push_back(row.cost.count());
        held.push_back(row.held.count());
    }
    const auto cents = largest_remainder(cost, money_per_usd_cent, paid.usd_cents);
    const auto of_usd = permille_of(cost, paid.cost.count(), paid.usd_permille);
    const auto of_hours = permille_of(held, paid.held.count(), paid.hours_permille);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].usd_cents = cents[i];
        rows[i].usd_permille = of_usd[i];
        rows[i].hours_permille = of_hours[i];
    }
}

} // namespace

CostliestJobs costliest_jobs(const Result& result, std::size_t most, const BillRow& paid) {
    const std::vector<StoppedSum> stopped = stopped_sums(result);
    Dearest dearest{most};
    JobCost all;
    std::size_t num_held = 0;
    for (std::size_t job = 0; job < result.jobs.size(); ++job) {
        const StoppedSum before = stopped.empty() ? StoppedSum{} : stopped[job];
        const JobCost one{job, held_by(result, job, before), cost_of(result, job, before)};
        if (one.held == SlotTime{})
            continue;
        ++num_held;
        all.held += one.held;
        all.cost += one.cost;
        dearest.add(one);
    }
    CostliestJobs out{std::move(dearest).sorted(), 0, false, {}};
    out.num_others = num_held - out.jobs.size();
    for (const JobCost& one : out.jobs) {
        const auto name = result.jobs.name(one.job);
        out.rows.push_back(
            row_of(name ? std::string{*name} : std::to_string(one.job), one.held, one.cost));
        all.held -= one.held;
        all.cost -= one.cost;
    }
    BillRow others = row_of(fmt::format("other ({})", out.num_others), all.held, all.cost);
    BillRow no_job = row_of("no job: idle and unavailable", paid.held, paid.cost);
    for (const ResultCell& cell : result.cells)
        if (cell.tenant) {
            no_job.held -= cell.held;
            no_job.cost -= cell.cost;
        }
    out.add_up = result.covers_run() && others.cost >= Money{} && others.held >= SlotTime{};
    if (out.add_up) {
        if (out.num_others > 0)
            out.rows.push_back(std::move(others));
        out.rows.push_back(std::move(no_job));
        apportion(out.rows, paid);
    } else {
        for (BillRow& row : out.rows) {
            row.usd_cents = divide_half_up(row.cost.count(), money_per_usd_cent);
            row.hours_permille = lone_permille(row.held.count(), paid.held.count());
            row.usd_permille = lone_permille(row.cost.count(), paid.cost.count());
        }
    }
    return out;
}

}} // namespace bursar::reports
