#include "reports/summary/figures.hpp"

#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/text/decimal.hpp"

namespace bursar {
namespace {

double from_micro(int128 micro) {
    return static_cast<double>(micro) / 1e6;
}

constexpr int128 micro_per(FigureUnit unit) {
    switch (unit) {
    case FigureUnit::milliseconds:
        return 1000;
    case FigureUnit::millionths:
        return 1;
    case FigureUnit::number:
        break;
    }
    return 1'000'000;
}

std::optional<double> from_fraction(const std::optional<Fraction>& fraction) {
    if (!fraction)
        return std::nullopt;
    return from_micro(fraction->scaled(1'000'000));
}

std::optional<double> per_productive_gpu_hour(const PrintedBill& bill) {
    int128 micro_hours = 0;
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
        if (group_of(static_cast<Leaf>(leaf)) == LeafGroup::productive)
            micro_hours += bill.leaf_hours[leaf];
    if (micro_hours == 0)
        return std::nullopt;
    return static_cast<double>(bill.total_usd) / static_cast<double>(micro_hours);
}

/// Collects scalars in the order of summary.json, block by block.
class ScalarList {
  public:
    explicit ScalarList(const Result& result) : metrics_{result.metrics} {
        const PrintedBill bill = print_bill(result);
        const Ratios ratio = ratios(leaf_sums(result));
        add("cost.total", bill.total_usd);
        add("cost.paid", bill.paid_usd);
        add("cost.other", bill.all_other_usd());
        scalars_.push_back({"cost.per_productive_gpu_hour", per_productive_gpu_hour(bill)});
        add_leaves("cost.by_leaf.", bill.leaf_usd);
        add("gpu_hours.paid", bill.paid_hours);
        add_leaves("gpu_hours.by_leaf.", bill.leaf_hours);
        scalars_.push_back({"ratios.allocation", from_fraction(ratio.allocation)});
        scalars_.push_back({"ratios.runtime_goodput", from_fraction(ratio.runtime_goodput)});
        scalars_.push_back({"ratios.program_goodput", from_fraction(ratio.program_goodput)});
        scalars_.push_back({"ratios.goodput", from_fraction(ratio.goodput)});
        scalars_.push_back({"ratios.effective_utilization", std::nullopt});
        add_counts();
        for (const NamedDistribution& distribution : distributions)
            add_distribution(distribution);
        add_queue();
        add_placement();
        add("metrics.makespan_s",
            metrics_.makespan ? std::optional{int128{metrics_.makespan->count()} * 1000}
                              : std::nullopt);
    }

    [[nodiscard]] std::vector<Scalar> take() { return std::move(scalars_); }

  private:
    void add(std::string name, std::optional<int128> micro) {
        scalars_.push_back(
            {std::move(name), micro ? std::optional{from_micro(*micro)} : std::nullopt});
    }
    void add_count(std::string name, std::uint64_t count) {
        scalars_.push_back({std::move(name), static_cast<double>(count)});
    }

    void add_leaves(const std::string& block, const std::array<int128, num_leaves>& micro) {
        for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
            add(block + std::string{leaf_names[leaf]}, micro[leaf]);
    }

    void add_counts() {
        add_count("metrics.jobs_measured", metrics_.jobs_measured);
        add_count("metrics.jobs_finished", metrics_.jobs_finished);
        add_count("metrics.jobs_censored", metrics_.jobs_censored);
        add_count("metrics.jobs_not_submitted", metrics_.jobs_not_submitted);
        add("metrics.censored_gpu_hours",
            divide_half_up(metrics_.censored_held.count(), slot_ms_per_micro_gpu_hour));
        add_count("metrics.preemptions", metrics_.preemptions);
        add_count("metrics.restarts", metrics_.restarts);
        add_count("metrics.preempted_without_progress", metrics_.preempted_without_progress);
    }

    void add_distribution(const NamedDistribution& distribution) {
        const std::string block = "metrics." + std::string{distribution.name} + ".";
        add_count(block + "count", (metrics_.*distribution.values).count);
        const auto printed = figures(distribution, metrics_);
        for (std::size_t i = 0; i < figure_names.size(); ++i)
            add(block + std::string{figure_names[i]},
                printed ? std::optional{(*printed)[i].micro} : std::nullopt);
    }

    void add_queue() {
        const QueueLength& queue = metrics_.queue;
        const auto mean = [&](int128 over_time) -> std::optional<int128> {
            if (queue.span == Duration{})
                return std::nullopt;
            return divide_half_up(over_time * 1'000'000, queue.span.count());
        };
        const auto length = [&](std::uint64_t value) -> std::optional<int128> {
            if (queue.span == Duration{})
                return std::nullopt;
            return int128{value} * 1'000'000;
        };
        add("metrics.queue_jobs.mean", mean(queue.job_ms));
        add("metrics.queue_jobs.p50", length(queue.p50_jobs));
        add("metrics.queue_jobs.p99", length(queue.p99_jobs));
        add("metrics.queue_jobs.max", length(queue.most_jobs));
        add("metrics.queue_gpus.mean", mean(queue.gpu_ms));
        add("metrics.queue_gpus.max", length(queue.most_gpus));
    }

    void add_placement() {
        const auto gpu_hours = [](const auto& block, int128 slot_ms) -> std::optional<int128> {
            if (!block)
                return std::nullopt;
            return divide_half_up(slot_ms, slot_ms_per_micro_gpu_hour);
        };
        const PlaceWait wait = metrics_.place_wait.value_or(PlaceWait{});
        const LevelEffect effect = metrics_.level_effect.value_or(LevelEffect{});
        add("metrics.placement.wait_job_hours",
            metrics_.place_wait
                ? std::optional{divide_half_up(wait.job_ms * 1'000'000, hour.count())}
                : std::nullopt);
        add("metrics.placement.wait_gpu_hours", gpu_hours(metrics_.place_wait, wait.slot_ms));
        add("metrics.placement.gained_gpu_hours",
            gpu_hours(metrics_.level_effect, effect.gained_slot_ms));
        add("metrics.placement.lost_gpu_hours",
            gpu_hours(metrics_.level_effect, effect.lost_slot_ms));
    }

    const Metrics& metrics_;
    std::vector<Scalar> scalars_;
};

} // namespace

std::optional<std::array<PrintedFigure, 5>> figures(const NamedDistribution& distribution,
                                                    const Metrics& metrics) {
    const Distribution& values = metrics.*distribution.values;
    if (values.count == 0)
        return std::nullopt;
    const int128 micro_per_unit = micro_per(distribution.unit);
    const auto from_hundredths = [&](int128 value) {
        return divide_half_up(value * micro_per_unit, 100);
    };
    return {{{{figure_names[0], divide_half_up(values.sum * micro_per_unit, values.count)},
              {figure_names[1], from_hundredths(values.p50_hundredths)},
              {figure_names[2], from_hundredths(values.p90_hundredths)},
              {figure_names[3], from_hundredths(values.p99_hundredths)},
              {figure_names[4], values.max * micro_per_unit}}}};
}

std::vector<Scalar> scalars(const Result& result) {
    return ScalarList{result}.take();
}

} // namespace bursar
