#include "reports/summary/figures.hpp"

#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/text/decimal.hpp"

namespace bursar {
namespace {

double from_micro(int128 micro) {
    return static_cast<double>(micro) / 1e6;
}

std::optional<double> from_fraction(const std::optional<Fraction>& fraction) {
    if (!fraction)
        return std::nullopt;
    return from_micro(fraction->scaled(1'000'000));
}

} // namespace

std::optional<std::array<PrintedFigure, 5>> figures(const NamedDistribution& distribution,
                                                    const Metrics& metrics) {
    const Distribution& values = metrics.*distribution.values;
    if (values.count == 0)
        return std::nullopt;
    const int128 micro_per_unit = distribution.is_time ? 1000 : 1;
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
    const PrintedBill bill = print_bill(result);
    const Ratios ratio = ratios(leaf_sums(result));
    std::vector<Scalar> out{
        {"cost.total", from_micro(bill.total_usd)},
        {"cost.paid", from_micro(bill.paid_usd)},
        {"gpu_hours.paid", from_micro(bill.paid_hours)},
        {"ratios.allocation", from_fraction(ratio.allocation)},
        {"ratios.runtime_goodput", from_fraction(ratio.runtime_goodput)},
        {"ratios.program_goodput", from_fraction(ratio.program_goodput)},
        {"ratios.goodput", from_fraction(ratio.goodput)},
        {"metrics.jobs_finished", static_cast<double>(result.metrics.jobs_finished)},
        {"metrics.jobs_censored", static_cast<double>(result.metrics.jobs_censored)}};
    for (const NamedDistribution& distribution : distributions) {
        const auto printed = figures(distribution, result.metrics);
        for (std::size_t i = 0; i < figure_names.size(); ++i) {
            Scalar scalar{"metrics." + std::string{distribution.name} + "." +
                              std::string{figure_names[i]},
                          std::nullopt};
            if (printed)
                scalar.value = from_micro((*printed)[i].micro);
            out.push_back(std::move(scalar));
        }
    }
    Scalar makespan{"metrics.makespan_s", std::nullopt};
    if (result.metrics.makespan)
        makespan.value = static_cast<double>(result.metrics.makespan->count()) / 1e3;
    out.push_back(std::move(makespan));
    return out;
}

} // namespace bursar
