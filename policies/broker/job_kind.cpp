#include "policies/broker/job_kind.hpp"

#include <cmath>

#include "models/units/int128.hpp"

namespace bursar { inline namespace policies {
namespace {

constexpr auto ms_in_hour = static_cast<double>(hour.count());

} // namespace

std::vector<JobKind> kinds_of(const Plan& plan) {
    const std::size_t num_places = 1 + plan.num_regions();
    const std::size_t order_length = plan.order_length();
    std::vector<JobKind> kinds(num_places);
    std::vector<int128> work_ms(1);
    std::vector<double> squares(1); // in h^2
    std::vector<std::int64_t> num_jobs(1);
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const JobShape& shape = plan.shapes[plan.shape[job]];
        const std::size_t row = shape.order_begin / order_length;
        if (row >= num_jobs.size()) {
            kinds.resize((row + 1) * num_places);
            work_ms.resize(row + 1);
            squares.resize(row + 1);
            num_jobs.resize(row + 1);
        }
        kinds[row * num_places].job_class = plan.job_class[job];
        kinds[row * num_places].gpus = shape.gpus;
        work_ms[row] += plan.work_ms[job];
        const double hours = static_cast<double>(plan.work_ms[job]) / ms_in_hour;
        squares[row] += hours * hours;
        ++num_jobs[row];
    }
    for (std::size_t row = 0; row < num_jobs.size(); ++row) {
        JobKind& kind = kinds[row * num_places];
        if (work_ms[row] > 0) {
            kind.work = Duration{static_cast<std::int64_t>(work_ms[row] / num_jobs[row])};
            // Long jobs are stopped more often than short ones: E[W^2] / 2 E[W].
            const double sum = static_cast<double>(work_ms[row]) / ms_in_hour;
            kind.left = Duration{std::llround(squares[row] / (2 * sum) * ms_in_hour)};
        }
        if (!plan.gang_risks.empty()) {
            const auto first =
                plan.gang_risks.begin() + static_cast<std::ptrdiff_t>(row * plan.pools.size());
            kind.risks.assign(first, first + static_cast<std::ptrdiff_t>(plan.pools.size()));
        }
        for (std::size_t place = 1; place < num_places; ++place) {
            kinds[row * num_places + place] = kind;
            kinds[row * num_places + place].saved_in = static_cast<std::uint8_t>(place);
        }
    }
    return kinds;
}

}} // namespace bursar::policies
