#include "reports/compare/job_changes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "reports/result/result.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

/// JCTs of a job that finished in both runs.
struct JobPair {
    std::int64_t base_ms{};
    std::int64_t variant_ms{};

    auto operator<=>(const JobPair&) const = default;
};

/// Their places, in the order of the ids; equal ids in the order of the jobs.
std::vector<std::size_t> by_id(const JobTimes& times) {
    std::vector<std::size_t> places(times.ids.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    if (!std::ranges::is_sorted(times.ids))
        std::ranges::stable_sort(places, {}, [&](std::size_t i) { return times.ids[i]; });
    return places;
}

/// JCTs by what finished.
struct PairedTimes {
    std::vector<JobPair> both;
    std::vector<std::int64_t> base_only;
    std::vector<std::int64_t> variant_only;
};

/// Counts what finished in neither, and what is in one of them alone.
PairedTimes pairs_of(const JobTimes& base, const JobTimes& variant, JobChanges& changes) {
    const std::vector<std::size_t> in_base = by_id(base);
    const std::vector<std::size_t> in_variant = by_id(variant);
    PairedTimes pairs;
    std::size_t a = 0;
    std::size_t b = 0;
    while (a < in_base.size() && b < in_variant.size()) {
        const std::size_t i = in_base[a];
        const std::size_t k = in_variant[b];
        if (base.ids[i] != variant.ids[k]) {
            ++changes.unpaired;
            ++(base.ids[i] < variant.ids[k] ? a : b);
            continue;
        }
        if (base.is_finished[i] && variant.is_finished[k])
            pairs.both.push_back({base.jct_ms[i], variant.jct_ms[k]});
        else if (base.is_finished[i])
            pairs.base_only.push_back(base.jct_ms[i]);
        else if (variant.is_finished[k])
            pairs.variant_only.push_back(variant.jct_ms[k]);
        else
            ++changes.neither;
        ++a;
        ++b;
    }
    changes.unpaired += in_base.size() - a + in_variant.size() - b;
    return pairs;
}

/// Reorders the values.
std::optional<double> median(std::vector<double>& values) {
    if (values.empty())
        return std::nullopt;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    if (values.size() % 2 == 1)
        return *middle;
    return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

void count_pairs(const std::vector<JobPair>& pairs, JobChanges& changes) {
    std::vector<double> all;
    std::vector<double> gained;
    std::vector<double> lost;
    for (const JobPair& pair : pairs) {
        ++(pair.variant_ms < pair.base_ms   ? changes.gained
           : pair.variant_ms > pair.base_ms ? changes.lost
                                            : changes.equal);
        if (pair.base_ms <= 0)
            continue;
        const double ratio =
            static_cast<double>(pair.variant_ms) / static_cast<double>(pair.base_ms);
        all.push_back(ratio);
        if (pair.variant_ms != pair.base_ms)
            (pair.variant_ms < pair.base_ms ? gained : lost).push_back(ratio);
    }
    changes.ratio = median(all);
    changes.ratio_of_gained = median(gained);
    changes.ratio_of_lost = median(lost);
}

/// Jobs of one point, summed up.
struct PointSum {
    std::int64_t base_ms{};
    std::int64_t variant_ms{};
    std::uint64_t jobs{};
};

constexpr int finest_grid = 32; ///< cells a decade: some 2 pixels

/// The cell of a grid with a fixed number of cells per decade of time; up to a second is one cell.
std::int64_t cell_of(std::int64_t ms, int cells) {
    const double seconds = static_cast<double>(ms) / 1000;
    return seconds <= 1 ? -1 : static_cast<std::int64_t>(std::log10(seconds) * cells);
}

/// The mean JCT of each cell that has any.
std::vector<std::int64_t> one_a_cell(const std::vector<std::int64_t>& jct_ms) {
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> cells; // sum and count
    for (const std::int64_t ms : jct_ms) {
        auto& [sum, count] = cells[cell_of(ms, finest_grid)];
        sum += ms;
        ++count;
    }
    std::vector<std::int64_t> means;
    for (const auto& [cell, sum] : cells)
        means.push_back(sum.first / sum.second);
    return means;
}

/// The cell of both JCTs, and whether jobs gained (-1) or lost (1) there.
using Bin = std::tuple<std::int64_t, std::int64_t, int>;
using Grid = std::map<Bin, PointSum>;

Grid grid_of(const std::vector<JobPair>& pairs) {
    Grid grid;
    for (const auto& [base_ms, variant_ms] : pairs) {
        const int side = base_ms == variant_ms ? 0 : variant_ms < base_ms ? -1 : 1;
        PointSum& point =
            grid[{cell_of(base_ms, finest_grid), cell_of(variant_ms, finest_grid), side}];
        point.base_ms += base_ms;
        point.variant_ms += variant_ms;
        ++point.jobs;
    }
    return grid;
}

/// With cells of twice the size.
Grid coarser(const Grid& grid) {
    const auto half = [](std::int64_t cell) { return cell < 0 ? cell : cell / 2; };
    Grid out;
    for (const auto& [cell, sum] : grid) {
        const auto& [x, y, side] = cell;
        PointSum& point = out[{half(x), half(y), side}];
        point.base_ms += sum.base_ms;
        point.variant_ms += sum.variant_ms;
        point.jobs += sum.jobs;
    }
    return out;
}

JobPoints different_points(std::vector<JobPair> pairs) {
    std::ranges::sort(pairs);
    JobPoints points;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (i > 0 && pairs[i] == pairs[i - 1]) {
            ++points.jobs.back();
            continue;
        }
        points.base_ms.push_back(pairs[i].base_ms);
        points.variant_ms.push_back(pairs[i].variant_ms);
        points.jobs.push_back(1);
    }
    return points;
}

JobPoints points_of(const std::vector<JobPair>& pairs) {
    if (pairs.size() <= most_job_points)
        return different_points(pairs);
    Grid grid = grid_of(pairs);
    while (grid.size() > most_job_points) // of all times there are, the coarsest has some 700
        grid = coarser(grid);
    JobPoints points;
    for (const auto& [cell, sum] : grid) {
        const auto jobs = static_cast<std::int64_t>(sum.jobs);
        // Rounded away from each other: where jobs gained, their means say so, too.
        const bool is_lost = std::get<2>(cell) > 0;
        points.base_ms.push_back(is_lost ? sum.base_ms / jobs : (sum.base_ms + jobs - 1) / jobs);
        points.variant_ms.push_back(std::get<2>(cell) < 0 ? sum.variant_ms / jobs
                                                          : (sum.variant_ms + jobs - 1) / jobs);
        points.jobs.push_back(sum.jobs);
    }
    return points;
}

} // namespace

JobTimes job_times(const Result& result) {
    JobTimes times;
    for (std::size_t job = 0; job < result.jobs.size(); ++job) {
        const Duration submit{result.jobs.submit_ms[job]};
        if (submit < result.window_begin || submit >= result.window_end)
            continue;
        const auto name = result.jobs.name(job);
        const bool finished = has_finished(result.jobs.state[job]);
        times.ids.push_back(name ? std::hash<std::string_view>{}(*name) : job);
        times.is_finished.push_back(finished);
        times.jct_ms.push_back(finished ? result.jobs.finish_ms[job] - submit.count() : 0);
    }
    return times;
}

JobChanges job_changes(const JobTimes& base, const JobTimes& variant) {
    JobChanges changes;
    const PairedTimes pairs = pairs_of(base, variant, changes);
    count_pairs(pairs.both, changes);
    changes.points = points_of(pairs.both);
    changes.base_only = pairs.base_only.size();
    changes.variant_only = pairs.variant_only.size();
    changes.base_only_ms = one_a_cell(pairs.base_only);
    changes.variant_only_ms = one_a_cell(pairs.variant_only);
    return changes;
}

std::string jct_ratio_text(double ratio) {
    if (ratio >= 100)
        return grouped_text(int128{std::llround(ratio)}, 0);
    return fmt::format("{:.3g}", ratio);
}

namespace {

/// How much faster and slower those jobs became that did, each held against itself.
std::string medians_of(const JobChanges& changes) {
    std::string text;
    if (changes.ratio_of_gained)
        text = fmt::format("who gained took {} times as long", //
                           jct_ratio_text(*changes.ratio_of_gained));
    if (changes.ratio_of_lost)
        text += fmt::format("{}who lost {}{} times{}",
                            text.empty() ? "" : ", ",
                            text.empty() ? "took " : "",
                            jct_ratio_text(*changes.ratio_of_lost),
                            text.empty() ? " as long" : "");
    return text;
}

} // namespace

std::string changes_sentence(const JobChanges& changes, std::string_view base) {
    const auto count = [](std::uint64_t jobs) { return grouped_text(int128{jobs}, 0); };
    std::string text =
        fmt::format("of {} job{} that finished in both, {} gained (a shorter JCT than "
                    "in {}), {} lost, {} took as long",
                    count(changes.pairs()),
                    changes.pairs() == 1 ? "" : "s",
                    count(changes.gained),
                    base,
                    count(changes.lost),
                    count(changes.equal));
    if (changes.ratio_of_gained || changes.ratio_of_lost)
        text += "; in the median " + medians_of(changes);
    if (changes.base_only + changes.variant_only > 0)
        text += fmt::format("; {} finished in {} alone, {} here alone",
                            count(changes.base_only),
                            base,
                            count(changes.variant_only));
    return text;
}

}} // namespace bursar::reports
