#include "reports/html/time_bins.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "reports/bill/spend_curve.hpp"
#include "reports/rounding/printed_units.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Round lengths of bins.
constexpr std::array bin_widths{second,
                                10 * second,
                                minute,
                                5 * minute,
                                15 * minute,
                                30 * minute,
                                hour,
                                2 * hour,
                                3 * hour,
                                6 * hour,
                                12 * hour,
                                day,
                                2 * day,
                                7 * day,
                                28 * day};

Duration bin_width(Duration span, std::size_t most) {
    const auto fits = [&](Duration width) {
        return int128{width.count()} * static_cast<std::int64_t>(most) >= span.count();
    };
    for (const Duration width : bin_widths)
        if (fits(width))
            return width;
    Duration width = 28 * day;
    while (!fits(width))
        width = width * 2;
    return width;
}

/// State of a pool, and its integral over the current bin up to the last change.
struct PoolMeter {
    std::int64_t allocated{}, down{}, off{};
    int128 allocated_time{}, down_time{}, off_time{};
    std::int64_t since{};

    void advance_to(std::int64_t time_ms) {
        const int128 span = time_ms - since;
        allocated_time += span * allocated;
        down_time += span * down;
        off_time += span * off;
        since = time_ms;
    }
};

/// Walks the timeline and fills the bins.
class BinFiller {
  public:
    BinFiller(const Result& result, TimeBins& bins)
        : result_{result}, bins_{bins}, pools_(result.pools.size()) {}

    void fill() {
        const TimelineColumns& rows = result_.timeline;
        std::size_t row = 0;
        for (TimeBin& bin : bins_.bins) {
            const Duration end = std::min(bin.begin + bins_.width, result_.end);
            bin.most_jobs = queue_jobs_;
            for (; row < rows.size() && rows.time_ms[row] < end.count(); ++row) {
                apply(row);
                bin.most_jobs = std::max(bin.most_jobs, queue_jobs_);
            }
            close(bin, end);
        }
    }

  private:
    void advance_queue(std::int64_t time_ms) {
        const int128 span = time_ms - queue_since_;
        queue_jobs_time_ += span * queue_jobs_;
        queue_slots_time_ += span * queue_slots_;
        queue_since_ = time_ms;
    }

    void apply(std::size_t row) {
        const TimelineColumns& rows = result_.timeline;
        PoolMeter& pool = pools_[rows.pool[row]];
        pool.advance_to(rows.time_ms[row]);
        pool.allocated = rows.allocated_slots[row];
        pool.down = rows.down_slots.empty() ? 0 : rows.down_slots[row];
        pool.off = rows.off_slots.empty() ? 0 : rows.off_slots[row];
        advance_queue(rows.time_ms[row]);
        queue_jobs_ = rows.queue_jobs[row];
        queue_slots_ = rows.queue_slots[row];
    }

    void close(TimeBin& bin, Duration end) {
        const auto span = static_cast<double>((end - bin.begin).count());
        const auto gpus = [&](int128& slot_ms) {
            const double mean = static_cast<double>(slot_ms) / (span * slots_per_gpu);
            slot_ms = 0;
            return mean;
        };
        for (PoolMeter& pool : pools_) {
            pool.advance_to(end.count());
            const double allocated = gpus(pool.allocated_time);
            const double down = gpus(pool.down_time);
            bin.pools.push_back({allocated, down, gpus(pool.off_time)});
        }
        advance_queue(end.count());
        bin.queue_gpus = gpus(queue_slots_time_);
        bin.queue_jobs = static_cast<double>(queue_jobs_time_) / span;
        queue_jobs_time_ = 0;
    }

    const Result& result_;
    TimeBins& bins_;
    std::vector<PoolMeter> pools_;
    std::uint32_t queue_jobs_{};
    std::int64_t queue_slots_{};
    int128 queue_jobs_time_{};
    int128 queue_slots_time_{};
    std::int64_t queue_since_{};
};

void fill_burn(const Result& result, TimeBins& bins) {
    const SpendCurve spent = SpendCurve::of_pools(result, std::nullopt);
    Money before;
    for (TimeBin& bin : bins.bins) {
        const Duration end = std::min(bin.begin + bins.width, result.end);
        const Money until = spent.until(end);
        const double hours =
            static_cast<double>((end - bin.begin).count()) / static_cast<double>(hour.count());
        bin.burn_usd_per_hour = static_cast<double>((until - before).count()) /
                                static_cast<double>(money_per_usd) / hours;
        before = until;
    }
}

/// The longest wait in each bin of the job that has waited longest: at the end of the bin, or
/// when the job started or was dropped.
void fill_oldest(const Result& result, TimeBins& bins) {
    const JobColumns& jobs = result.jobs;
    std::vector<std::uint32_t> order(jobs.size());
    std::iota(order.begin(), order.end(), 0U);
    if (!std::ranges::is_sorted(jobs.submit_ms) || !jobs.eligible_ms.empty())
        std::ranges::stable_sort(order, {}, [&](std::uint32_t job) { return jobs.eligible(job); });
    const auto waits_at = [&](std::uint32_t job, std::int64_t t) {
        if (is_first_wait_over(jobs.state[job]))
            return jobs.start_ms[job] > t;
        return jobs.state[job] == JobState::queued;
    };
    auto oldest = order.begin();
    for (TimeBin& bin : bins.bins) {
        const std::int64_t end = std::min(bin.begin + bins.width, result.end).count();
        while (oldest != order.end() && jobs.eligible(*oldest) <= end && !waits_at(*oldest, end))
            ++oldest;
        if (oldest != order.end() && jobs.eligible(*oldest) <= end)
            bin.oldest = Duration{end - jobs.eligible(*oldest)};
    }
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        if (!is_first_wait_over(jobs.state[job]) || jobs.start_ms[job] <= jobs.eligible(job))
            continue;
        const auto at =
            static_cast<std::size_t>((jobs.start_ms[job] - 1) / bins.width.count()); // not after it
        TimeBin& bin = bins.bins[std::min(at, bins.bins.size() - 1)];
        bin.oldest = std::max(bin.oldest, Duration{jobs.start_ms[job] - jobs.eligible(job)});
    }
}

} // namespace

TimeBins time_bins(const Result& result, std::size_t most) {
    TimeBins out;
    if (result.end <= Duration{} || result.timeline.size() == 0 || result.pools.empty())
        return out;
    out.width = bin_width(result.end, most);
    for (Duration begin{}; begin < result.end; begin = begin + out.width)
        out.bins.push_back({begin, {}, 0, 0, 0, {}, 0});
    BinFiller{result, out}.fill();
    fill_burn(result, out);
    fill_oldest(result, out);
    return out;
}

}} // namespace bursar::reports
