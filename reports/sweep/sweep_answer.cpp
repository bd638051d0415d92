#include "reports/sweep/sweep_answer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/document/document.hpp"
#include "reports/goal/goal.hpp"
#include "reports/scalars/scalar_text.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/sweep/sweep_points.hpp"
#include "reports/sweep/sweep_statistics.hpp"
#include "reports/sweep/sweep_table.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {

SweepQuestion usual_question() {
    return {{find_metric("cost.total"), find_metric("wait.p90")}};
}

bool rank_common_end(SweepQuestion& question) {
    const ScalarRow*& first = question.metrics.front();
    if (first == find_scalar("cost.total"))
        first = &common_end_cost();
    return first == &common_end_cost();
}

void rank_own_end(SweepQuestion& question) {
    if (question.metrics.front() == &common_end_cost())
        question.metrics.front() = find_scalar("cost.total");
}

namespace {

std::uint64_t add_failed(const SweepTable& table, std::size_t shown, Document& answer) {
    ReportTable out{"failed", "no result", {}, {}, true};
    out.columns = {{"scenario", "scenario", ""}, {"seed", "seed", ""}, {"why", "why", ""}};
    std::uint64_t num_failed = 0;
    for (const SweepRow& row : table.rows) {
        if (row.failure.empty())
            continue;
        ++num_failed;
        if (out.rows.size() < shown)
            out.rows.push_back({static_cast<std::int64_t>(row.scenario),
                                static_cast<std::int64_t>(row.seed),
                                row.failure});
        if (num_failed == 1)
            answer.warnings.push_back(row.failure);
    }
    if (num_failed == 0)
        return 0;
    answer.warnings.back() = fmt::format("{} of {} runs have no result; the first: {}",
                                         num_failed,
                                         table.rows.size(),
                                         answer.warnings.back());
    answer.add(std::move(out));
    return num_failed;
}

/// Scenarios that were not simulated, each with its reason.
void add_pruned(const SweepTable& table, std::size_t shown, Document& answer) {
    ReportTable out{"pruned", "not simulated", {}, {}, true};
    out.columns = {{"scenario", "scenario", ""}, {"why", "why", ""}};
    std::uint64_t num_scenarios = 0;
    std::uint64_t last = 0;
    for (const SweepRow& row : table.rows) {
        if (row.pruned.empty() || (num_scenarios > 0 && row.scenario == last))
            continue;
        last = row.scenario;
        if (++num_scenarios <= shown)
            out.rows.push_back({static_cast<std::int64_t>(row.scenario), row.pruned});
    }
    if (num_scenarios == 0)
        return;
    answer.add(std::move(out));
    answer.warnings.push_back(fmt::format(
        "{} not simulated, as models predict memory, run time and price: waits "
        "in {} are not known",
        num_scenarios == 1 ? "1 scenario was" : fmt::format("{} scenarios were", num_scenarios),
        num_scenarios == 1 ? "it" : "them"));
}

void add_warnings(const SweepTable& table, Document& answer) {
    std::uint64_t num_warned = 0;
    std::string first;
    for (const SweepRow& row : table.rows)
        if (!row.warnings.empty() && ++num_warned == 1)
            first = row.warnings.substr(0, row.warnings.find('\n'));
    if (num_warned > 0)
        answer.warnings.push_back(
            fmt::format("{} of {} runs warn, such as: {}", num_warned, table.rows.size(), first));
}

void add_notes(const SweepTable& table, Document& answer) {
    ReportTable out{"assumed", "what the runs rest on", {}, {}, true};
    out.columns = {{"kind", "", ""}, {"text", "", ""}};
    for (const SweepNote& note : table.notes) {
        const bool is_unmodelled = note.kind == SweepNote::Kind::unmodelled;
        if (note.kind == SweepNote::Kind::decisive)
            answer.warnings.push_back("assumed, and every figure rests on it: " + note.text);
        out.rows.push_back({std::string{is_unmodelled ? "not modelled" : "assumed"}, note.text});
    }
    if (!out.rows.empty())
        answer.add(std::move(out));
}

/// Adds what limits an answer: missing runs, runs without a result (at most `shown` are listed),
/// warnings, assumptions. Returns the number of runs without a result.
std::uint64_t add_caveats(const SweepTable& table, std::size_t shown, Document& answer) {
    if (table.num_planned > table.rows.size())
        answer.warnings.push_back(
            fmt::format("{} of {} runs are missing, and common ends may move with them",
                        table.num_planned - table.rows.size(),
                        table.num_planned));
    const std::uint64_t num_failed = add_failed(table, shown, answer);
    add_pruned(table, shown, answer);
    add_warnings(table, answer);
    add_notes(table, answer);
    return num_failed;
}

class SweepAnswer {
  public:
    SweepAnswer(const SweepTable& table, const SweepQuestion& question)
        : table_{table}, question_{question}, metrics_{question.metrics},
          ends_differ_{add_common_ends(table_)}, names_{short_paths(table.paths)} {
        add_other_cost();
        points_ = points_of(table_, metrics_);
        for (const SweepPoint& point : points_) {
            num_seeds_ = std::max(num_seeds_, point.rows.size());
            if (!point.metrics.empty() && point.metrics.front().mean())
                ranked_.push_back(&point);
        }
        const bool lower = metric(0).better != Better::higher;
        std::ranges::stable_sort(ranked_, [&](const SweepPoint* a, const SweepPoint* b) {
            const double mean_a = *a->metrics.front().mean();
            const double mean_b = *b->metrics.front().mean();
            return lower ? mean_a < mean_b : mean_a > mean_b;
        });
        std::vector<UnfinishedJobs> jobs;
        for (const SweepPoint* point : ranked_)
            jobs.push_back(jobs_of(*point));
        undone_ = leave_work_undone(jobs);
    }

    Document answer() {
        answer_.command = "sweep";
        answer_.title = table_.scenario_name;
        const std::string goal = add_goal();
        add_best();
        add_front();
        add_axes();
        add_seeds();
        num_failed_ = add_caveats(table_, question_.best, answer_);
        add_facts();
        answer_.headline = (goal.empty() ? headline() : goal) + refined_text();
        return std::move(answer_);
    }

    /// The scenario that the answer names.
    [[nodiscard]] const SweepPoint* best() {
        if (question_.goal) {
            const GoalAnswer goal = answer_to_goal();
            return goal.is_met ? ranked_[goal.met] : nullptr;
        }
        const auto first = std::ranges::find(undone_, false); // there is one, unless none is ranked
        return first == undone_.end() ? nullptr
                                      : ranked_[static_cast<std::size_t>(first - undone_.begin())];
    }

  private:
    [[nodiscard]] const ScalarRow& metric(std::size_t i) const { return *metrics_[i]; }
    [[nodiscard]] std::size_t num_metrics() const { return question_.metrics.size(); }

    /// Adds, of `cost.total` and the cost to the common end, the one that was not asked for, if
    /// they differ: it stands in tables behind the other.
    void add_other_cost() {
        const std::array<const ScalarRow*, 2> costs{find_scalar("cost.total"), &common_end_cost()};
        const auto asked = std::ranges::find_first_of(metrics_, costs);
        if (asked != metrics_.end() && ends_differ_) {
            cost_ = static_cast<std::size_t>(asked - metrics_.begin());
            metrics_.push_back(*asked == costs[0] ? costs[1] : costs[0]);
        }
    }

    /// Metrics in the order of their columns.
    [[nodiscard]] std::vector<std::size_t> columns() const {
        std::vector<std::size_t> out;
        for (std::size_t i = 0; i < num_metrics(); ++i) {
            out.push_back(i);
            if (cost_ == i)
                out.push_back(num_metrics());
        }
        return out;
    }

    /// Says that intervals are over few seeds; empty: they are not.
    [[nodiscard]] std::string few_seeds() const {
        return num_seeds_ > 1 && num_seeds_ < enough_seeds ? few_seeds_note(num_seeds_)
                                                           : std::string{};
    }

    [[nodiscard]] std::string interval_from() const {
        return num_seeds_ < enough_seeds ? "95 % (few seeds) from" : "95 % from";
    }

    /// Says that scenarios rank differently by the other cost; empty: they do not.
    [[nodiscard]] std::string other_cost_ranking() const {
        if (!cost_)
            return {};
        const bool by_common_end = &metric(*cost_) == &common_end_cost();
        std::vector<CostsToEnds> costs;
        for (const SweepPoint* point : ranked_) {
            const std::optional<double> own =
                point->metrics[by_common_end ? num_metrics() : *cost_].mean();
            const std::optional<double> common =
                point->metrics[by_common_end ? *cost_ : num_metrics()].mean();
            if (own && common)
                costs.push_back({named(*point), *own, *common});
        }
        return other_ranking(std::move(costs), by_common_end);
    }

    /// "queue srtf, nodes 40".
    [[nodiscard]] std::string named(const SweepPoint& point) const {
        std::string out;
        for (std::size_t i = 0; i < point.values.size(); ++i)
            out += fmt::format("{}{} {}", i == 0 ? "" : ", ", names_[i], point.values[i]);
        return out.empty() ? table_.scenario_name : out;
    }

    /// Columns of the varied paths, and of all metrics.
    ReportTable table_of(std::string key, std::string title) {
        ReportTable out{std::move(key), std::move(title), {}, {}, false};
        out.columns.push_back({"scenario", "scenario", ""});
        for (std::size_t i = 0; i < table_.paths.size(); ++i)
            out.columns.push_back({table_.paths[i], names_[i], ""});
        for (const std::size_t i : columns())
            out.columns.push_back(
                {metric(i).name,
                 &metric(i) == &common_end_cost() ? "cost to common end" : short_name(i),
                 answer_unit(metric(i).kind)});
        return out;
    }
    [[nodiscard]] std::string short_name(std::size_t i) const { return metric_name(metric(i)); }
    [[nodiscard]] std::vector<Cell> cells_of(const SweepPoint& point) const {
        std::vector<Cell> cells{static_cast<std::int64_t>(point.scenario)};
        for (const std::string& value : point.values)
            cells.emplace_back(value);
        for (const std::size_t i : columns())
            cells.emplace_back(point.metrics[i].mean().value_or(not_known));
        return cells;
    }

    void add_best() {
        ReportTable out =
            table_of("best",
                     fmt::format("{} {}",
                                 metric(0).better == Better::higher ? "the most" : "the least",
                                 short_name(0)));
        const std::string unit = answer_unit(metric(0).kind);
        const bool pairs = num_seeds_ > 1;
        out.columns.push_back({"difference", "vs. best", unit});
        if (pairs) {
            out.columns.push_back({"difference_ci95_low", interval_from(), unit});
            out.columns.push_back({"difference_ci95_high", "to", unit});
        }
        const std::size_t shown = std::min(question_.best, ranked_.size());
        const bool any_undone = std::ranges::find(undone_.begin(), undone_.begin() + shown, true) !=
                                undone_.begin() + shown;
        if (any_undone)
            out.columns.push_back({"unfinished", "unfinished", "jobs"});
        for (std::size_t i = 0; i < shown; ++i) {
            std::vector<Cell> cells = cells_of(*ranked_[i]);
            const RepeatedScalar over = paired_difference(*ranked_[i], *ranked_.front(), metric(0));
            cells.emplace_back(over.n > 0 ? over.mean : not_known);
            if (pairs) {
                cells.emplace_back(i == 0 ? not_known : over.ci_low.value_or(not_known));
                cells.emplace_back(i == 0 ? not_known : over.ci_high.value_or(not_known));
            }
            if (any_undone)
                cells.emplace_back(jobs_of(*ranked_[i]).unfinished);
            out.rows.push_back(std::move(cells));
        }
        if (any_undone && undone_.front())
            answer_.warnings.push_back(
                fmt::format("{} leaves work undone: {}; its {} is for less work",
                            named(*ranked_.front()),
                            unfinished_text(jobs_of(*ranked_.front())),
                            short_name(0)));
        out.note = other_cost_ranking();
        if (const std::string few = few_seeds(); !few.empty())
            out.note += (out.note.empty() ? "" : "; ") + few;
        answer_.add(std::move(out));
    }

    /// A metric so that less is better.
    [[nodiscard]] std::optional<double> as_cost(const SweepPoint& point, std::size_t i) const {
        const auto mean = point.metrics[i].mean();
        return mean && metric(i).better == Better::higher ? std::optional{-*mean} : mean;
    }

    void add_front() {
        if (num_metrics() < 2)
            return;
        std::vector<TwoFigures> figures;
        for (const SweepPoint* point : ranked_)
            figures.push_back({as_cost(*point, 0), as_cost(*point, 1)});
        ReportTable out = table_of(
            "front",
            fmt::format("front: nothing is better in {} and in {}", short_name(0), short_name(1)));
        for (const std::size_t i : pareto_front(figures))
            out.rows.push_back(cells_of(*ranked_[i]));
        answer_.add(std::move(out));
    }

    /// Scenarios of the grid: not those that refining added.
    [[nodiscard]] std::vector<const SweepPoint*> grid_points() const {
        std::vector<const SweepPoint*> out;
        for (const SweepPoint& point : points_)
            if (!table_.refined.is_added(point.scenario))
                out.push_back(&point);
        return out;
    }

    [[nodiscard]] std::vector<std::size_t> axis_sizes() const {
        std::vector<std::size_t> sizes;
        for (const std::vector<std::size_t>& axis : table_.axes) {
            std::set<std::string> values;
            for (const SweepPoint* point : grid_points()) {
                std::string value;
                for (const std::size_t path : axis)
                    value += point->values[path] + '\n';
                values.insert(std::move(value));
            }
            sizes.push_back(values.size());
        }
        return sizes;
    }

    [[nodiscard]] std::string axis_name(std::size_t axis) const {
        std::vector<std::string> names;
        for (const std::size_t path : table_.axes[axis])
            names.push_back(names_[path]);
        return fmt::format("{}", fmt::join(names, " + "));
    }

    void add_axes() {
        const std::vector<std::size_t> sizes = axis_sizes();
        std::size_t grid = 1;
        for (const std::size_t size : sizes)
            grid *= size;
        if (sizes.empty() || grid < 2)
            return;
        const std::vector<const SweepPoint*> points = grid_points();
        const auto num_ranked = std::ranges::count_if(ranked_, [&](const SweepPoint* point) {
            return !table_.refined.is_added(point->scenario);
        });
        if (grid != points.size() || num_ranked != std::ssize(points)) {
            answer_.warnings.push_back(
                "variance by axis is not shown: it needs a result for every combination of the "
                "axes, each different");
            return;
        }
        ReportTable out{"axes",
                        "variance explained by each axis: alone / with interactions",
                        {{"axis", "axis", ""}},
                        {},
                        false};
        for (std::size_t axis = 0; axis < sizes.size(); ++axis)
            out.rows.push_back({axis_name(axis)});
        for (std::size_t i = 0; i < num_metrics(); ++i) {
            out.columns.push_back({metric(i).name + ".main", short_name(i) + " alone", "fraction"});
            out.columns.push_back({metric(i).name + ".total", "in all", "fraction"});
            std::vector<std::optional<double>> values;
            for (const SweepPoint* point : points)
                values.push_back(point->metrics[i].mean());
            const auto effects = sensitivities(sizes, values);
            for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
                out.rows[axis].cells.emplace_back(effects ? (*effects)[axis].main : not_known);
                out.rows[axis].cells.emplace_back(effects ? (*effects)[axis].total : not_known);
            }
            if (effects)
                note_leading(*effects, i);
        }
        answer_.add(std::move(out));
    }

    void note_leading(const std::vector<Sensitivity>& effects, std::size_t i) {
        const auto most = std::ranges::max_element(effects, {}, &Sensitivity::total);
        leading_ += fmt::format("{}{} for {}",
                                leading_.empty() ? "; largest effect: " : ", ",
                                axis_name(static_cast<std::size_t>(most - effects.begin())),
                                short_name(i));
    }

    void add_seeds() {
        if (num_seeds_ < 2)
            return;
        ReportTable out{"seeds", "over the seeds", {}, {}, true};
        out.columns = {{"scenario", "scenario", ""},
                       {"metric", "metric", ""},
                       {"n", "seeds", ""},
                       {"mean", "mean", ""},
                       {"sd", "sd", ""},
                       {"min", "min", ""},
                       {"p10", "p10", ""},
                       {"p50", "p50", ""},
                       {"p90", "p90", ""},
                       {"max", "max", ""},
                       {"ci95_low", interval_from(), ""},
                       {"ci95_high", "to", ""}};
        for (std::size_t k = 0; k < std::min(question_.best, ranked_.size()); ++k)
            for (std::size_t i = 0; i < num_metrics(); ++i) {
                const OverSeeds& one = ranked_[k]->metrics[i];
                const RepeatedScalar& stats = one.stats;
                const bool any = stats.n > 0;
                out.rows.push_back({static_cast<std::int64_t>(ranked_[k]->scenario),
                                    short_name(i),
                                    static_cast<std::int64_t>(stats.n),
                                    any ? stats.mean : not_known,
                                    stats.sd.value_or(not_known),
                                    any ? stats.min : not_known,
                                    one.p10.value_or(not_known),
                                    one.p50.value_or(not_known),
                                    one.p90.value_or(not_known),
                                    any ? stats.max : not_known,
                                    stats.ci_low.value_or(not_known),
                                    stats.ci_high.value_or(not_known)});
            }
        out.note = few_seeds();
        answer_.add(std::move(out));
    }

    void add_facts() {
        Facts out{"sweep", table_.scenario_name, {}};
        const auto add = [&](std::string key, std::string label, std::uint64_t count) {
            out.values.push_back(
                {std::move(key), std::move(label), static_cast<std::int64_t>(count), "", ""});
        };
        add("scenarios", "scenarios", points_.size());
        if (table_.refined.any())
            add("refined", "of them added by --refine", points_.size() - grid_points().size());
        add("runs", "runs", table_.rows.size());
        if (table_.num_planned > table_.rows.size())
            add("missing", "runs that are missing", table_.num_planned - table_.rows.size());
        add("failed", "runs without a result", num_failed_);
        if (const auto pruned = std::ranges::count_if(
                table_.rows, [](const SweepRow& row) { return !row.pruned.empty(); });
            pruned > 0)
            out.values.push_back({"pruned",
                                  "runs not simulated",
                                  static_cast<std::int64_t>(pruned),
                                  "",
                                  "as models predict; waits are not known"});
        Duration end{};
        for (const SweepRow& row : table_.rows)
            end = std::max(end, row.ending.end);
        out.values.push_back(
            {"end_s",
             "latest end",
             static_cast<double>(end.count()) / 1000,
             "s",
             ends_differ_ ? "cost.total is to each run's own end; cost.to_common_end pays for "
                            "owned and reserved capacity to the latest end of the run's seed"
                          : ""});
        answer_.add(std::move(out));
    }

    /// Adds the answer to the goal and returns its sentence; empty: there is no goal.
    std::string add_goal() {
        if (!question_.goal)
            return {};
        GoalAnswer goal = answer_to_goal();
        answer_.add_goal(std::move(goal.section));
        if (!goal.is_met)
            answer_.missed = goal.sentence;
        return goal.sentence;
    }

    [[nodiscard]] GoalAnswer answer_to_goal() const {
        std::vector<GoalCandidate> candidates;
        for (const SweepPoint* point : ranked_) {
            GoalCandidate& one = candidates.emplace_back();
            one.name = named(*point);
            one.rank = point->metrics.front().mean();
            one.jobs = jobs_of(*point);
            for (const SweepRow* row : point->rows) {
                one.seeds.push_back(row->seed);
                one.by_seed.push_back(value_of(*row, *question_.goal->metric));
            }
            for (std::size_t i = 0; i < point->values.size(); ++i)
                one.settings.emplace_back(names_[i], point->values[i]);
        }
        return goal_answer(*question_.goal, metric(0), candidates);
    }

    /// "; refined 2 times: 3.2 % below the grid's answer (nodes 8)"; empty: it was not refined.
    [[nodiscard]] std::string refined_text() {
        const SweepPoint* const now = best();
        if (!table_.refined.any() || now == nullptr)
            return {};
        const std::uint64_t times = table_.refined.times;
        const std::string out = times == 0   ? "; refined in part: "
                                : times == 1 ? "; refined once: "
                                             : fmt::format("; refined {} times: ", times);
        SweepTable grid = table_;
        std::erase_if(grid.rows,
                      [&](const SweepRow& row) { return table_.refined.is_added(row.scenario); });
        const auto number = best_scenario(grid, question_);
        if (!number)
            return out + "the grid has no answer";
        const SweepPoint& before = *std::ranges::find(points_, *number, &SweepPoint::scenario);
        const double was = *before.metrics.front().mean();
        const double is = *now->metrics.front().mean();
        if (now == &before || was == is)
            return out + "no better than the grid's answer";
        const double percent = was == 0 ? 100 : 100 * std::abs(is / was - 1);
        return out + fmt::format("{} {} the grid's answer ({})",
                                 was == 0        ? scalar_text(std::abs(is), metric(0).kind)
                                 : percent < 0.1 ? std::string{"less than 0.1 %"}
                                                 : fmt::format("{:.1f} %", percent),
                                 is < was ? "below" : "above",
                                 named(before));
    }
    static double mean_of(const SweepPoint& point, std::string_view name) {
        std::vector<double> values;
        for (const SweepRow* row : point.rows)
            if (const auto value = value_of(*row, *find_scalar(name)))
                values.push_back(*value);
        return over_runs({}, values).mean;
    }
    static UnfinishedJobs jobs_of(const SweepPoint& point) {
        return {mean_of(point, "metrics.jobs_censored"), mean_of(point, "metrics.jobs_measured")};
    }

    [[nodiscard]] std::string headline() {
        const SweepPoint* const found = best();
        if (found == nullptr)
            return "no run has a result";
        const SweepPoint& point = *found;
        return fmt::format("{} {}: {} ({}){}",
                           metric(0).better == Better::higher ? "most" : "least",
                           short_name(0),
                           scalar_text(*point.metrics.front().mean(), metric(0).kind),
                           named(point),
                           leading_);
    }

    SweepTable table_;
    const SweepQuestion& question_;
    std::vector<const ScalarRow*> metrics_; ///< those of the question, then perhaps the other cost
    bool ends_differ_{};
    std::optional<std::size_t> cost_; ///< place of the cost beside which the other one stands
    std::vector<SweepPoint> points_;
    std::vector<std::string> names_;
    std::vector<const SweepPoint*> ranked_; ///< the best first; those with a value
    std::vector<bool> undone_;              ///< whether each of them leaves work undone
    std::size_t num_seeds_{};
    std::uint64_t num_failed_{};
    std::string leading_;
    Document answer_;
};

} // namespace

std::optional<std::uint64_t> best_scenario(const SweepTable& table, const SweepQuestion& question) {
    SweepAnswer answer{table, question};
    const SweepPoint* const best = answer.best();
    return best == nullptr ? std::nullopt : std::optional{best->scenario};
}

Document sweep_answer(const SweepTable& table, const SweepQuestion& question) {
    return SweepAnswer{table, question}.answer();
}

}} // namespace bursar::reports
