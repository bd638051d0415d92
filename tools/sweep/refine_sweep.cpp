#include "tools/sweep/refine_sweep.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/document/canonical_hash.hpp"
#include "scenarios/variants/number_axis.hpp"

#include "reports/errors/report_error.hpp"

#include "tools/sweep/run_sweep.hpp"

namespace bursar { inline namespace tools {
namespace {

/// Around an answer on four axes lie 80 scenarios.
constexpr std::size_t max_refined_axes = 4;

using Values = std::vector<std::string>; ///< of a scenario, by path

/// An axis that can be refined.
struct RefinedAxis {
    std::size_t axis{}; ///< its place among the axes of the sweep
    std::size_t path{}; ///< and among its paths
    NumberAxis numbers;
};

std::vector<RefinedAxis> refined_axes(const SweepPlan& plan) {
    std::vector<RefinedAxis> out;
    std::size_t path = 0;
    for (std::size_t i = 0; i < plan.grid().axes().size(); ++i) {
        const Axis& axis = plan.grid().axes()[i];
        auto numbers = NumberAxis::of(axis);
        if (numbers && numbers->size() > 1) {
            if (const auto fraction = numbers->fraction()) {
                Values values = plan.values_of(0);
                values[path] = *fraction;
                if (!plan.can_read(values))
                    numbers->keep_whole();
            }
            out.push_back({i, path, std::move(*numbers)});
        }
        path += 1 + axis.with.size();
    }
    return out;
}

std::uint64_t key_of(const Values& values) {
    std::string text;
    for (const std::string& value : values)
        text += value + '\n';
    return text_hash(text);
}

class SweepRefinement {
  public:
    SweepRefinement(SweepPlan& plan, SweepStore& store, const Refining& how)
        : plan_{plan}, store_{store}, how_{how}, axes_{refined_axes(plan)} {
        for (std::size_t i = 0; i < plan.num_scenarios(); ++i)
            numbers_.try_emplace(key_of(plan.values_of(i)), i);
        is_seen_.resize(plan.grid().size(), true);
    }

    std::string_view refine() {
        if (!find_answer())
            return "no scenario of the grid is an answer to refine around";
        if (!halve())
            return "no value lies between the answer and its neighbours";
        for (std::uint64_t round = 1; round == 1 || (round <= how_.times && halve()); ++round) {
            for (std::vector<Values> around = unseen(); !around.empty(); around = unseen()) {
                run(around);
                find_answer();
            }
            plan_.set_refined(round);
        }
        plan_.set_refined(how_.times); // the last rounds may have no value to add
        store_.extend(planned_table(plan_));
        return {};
    }

  private:
    /// The answer of the scenarios seen so far.
    bool find_answer() {
        SweepTable table = store_.table();
        std::erase_if(table.rows, [&](const SweepRow& row) { return !is_seen(row.scenario); });
        table.refined = {};
        const auto best = best_scenario(table, how_.question);
        if (best)
            answer_ = plan_.values_of(*best);
        return best.has_value();
    }

    [[nodiscard]] bool is_seen(std::size_t scenario) const {
        return scenario < is_seen_.size() && is_seen_[scenario];
    }

    /// Adds the values halfway to the answer's neighbours. False: none lies between.
    bool halve() {
        bool any = false;
        for (RefinedAxis& axis : axes_) {
            const std::size_t place = axis.numbers.place_of(answer_[axis.path]);
            std::optional<std::string> above;
            std::optional<std::string> below;
            if (place + 1 < axis.numbers.size())
                above = axis.numbers.between(place);
            if (place > 0)
                below = axis.numbers.between(place - 1);
            for (const auto& value : {above, below}) {
                Values values = answer_;
                if (value)
                    values[axis.path] = *value;
                if (value && plan_.can_read(values)) {
                    axis.numbers.insert(*value);
                    any = true;
                }
            }
        }
        return any;
    }

    /// The scenarios around the answer that were not seen and can be read.
    std::vector<Values> unseen() {
        std::vector<Values> around{answer_};
        for (const RefinedAxis& axis : axes_) {
            const NumberAxis& numbers = axis.numbers;
            const std::size_t place = numbers.place_of(answer_[axis.path]);
            const std::size_t first = place == 0 ? 0 : place - 1;
            const std::size_t last = std::min(place + 1, numbers.size() - 1);
            std::vector<Values> next;
            for (const Values& values : around)
                for (std::size_t i = first; i <= last; ++i) {
                    next.push_back(values);
                    if (i != place) // the answer's own value as it was written
                        next.back()[axis.path] = numbers.value(i);
                }
            around = std::move(next);
        }
        std::erase_if(around, [&](const Values& values) {
            const auto number = numbers_.find(key_of(values));
            if (number != numbers_.end())
                return is_seen(number->second);
            if (unreadable_.contains(values))
                return true;
            if (plan_.can_read(values))
                return false;
            unreadable_.insert(values);
            return true;
        });
        return around;
    }

    void run(const std::vector<Values>& scenarios) {
        std::vector<Values> added;
        for (const Values& values : scenarios)
            if (numbers_.try_emplace(key_of(values), plan_.num_scenarios() + added.size()).second)
                added.push_back(values);
        if (!added.empty()) {
            plan_.add(added);
            store_.extend(planned_table(plan_));
            how_.make_runs();
        }
        is_seen_.resize(plan_.num_scenarios());
        for (const Values& values : scenarios)
            is_seen_[numbers_.at(key_of(values))] = true;
    }

    SweepPlan& plan_;
    SweepStore& store_;
    const Refining& how_;
    std::vector<RefinedAxis> axes_;
    std::unordered_map<std::uint64_t, std::size_t> numbers_; ///< of scenarios, by key_of()
    std::vector<bool> is_seen_; ///< by scenario: it is of the grid, or of a round of this process
    std::set<Values> unreadable_;
    Values answer_;
};

} // namespace

void check_refinable(const SweepPlan& plan, std::uint64_t times) {
    const std::size_t number = refined_axes(plan).size();
    if (number == 0)
        throw ScenarioError{Finding{
            {"--refine"},
            {},
            "no axis can be refined",
            "an axis can if its values are two or more numbers of one unit, such as nodes 8,16, or "
            "ranges, such as nodes 0..8,0..16; paths that change together cannot",
            {}}};
    if (number > max_refined_axes)
        throw ScenarioError{Finding{{"--refine"},
                                    {},
                                    fmt::format("{} axes are of numbers", number),
                                    fmt::format("at most {} are refined", max_refined_axes),
                                    "give the others one value, that of the answer"}};
    const std::uint64_t added = max_refined_scenarios(plan, times);
    if (added == 0)
        throw ScenarioError{Finding{{"--refine"},
                                    {},
                                    "no scenario can be added",
                                    "no value lies between those of the axes",
                                    {}}};
    plan.check_limit(plan.grid().size() + added);
}

std::uint64_t max_refined_scenarios(const SweepPlan& plan, std::uint64_t times) {
    const std::vector<Axis>& axes = plan.grid().axes();
    std::vector<double> sizes;
    for (const Axis& axis : axes)
        sizes.push_back(static_cast<double>(axis.values.size()));
    for (const RefinedAxis& one : refined_axes(plan)) // values that come twice are in `sizes` alone
        sizes[one.axis] += static_cast<double>(one.numbers.max_size(times) - one.numbers.size());
    double scenarios = 1;
    for (const double size : sizes)
        scenarios *= size;
    constexpr double most = 0x1p63;
    return static_cast<std::uint64_t>(
        std::min(most, scenarios - static_cast<double>(plan.grid().size())));
}

void add_refined_of(const std::filesystem::path& folder, SweepPlan& plan) {
    std::error_code error;
    if (!std::filesystem::exists(folder / store_name, error))
        return;
    SweepTable there;
    try {
        there = SweepStore{folder}.planned();
    } catch (const BadResult&) {
        return; // opening it for writing says what is wrong
    }
    const SweepTable planned = planned_table(plan);
    if (there.paths != planned.paths)
        return;
    std::set<std::pair<std::uint64_t, std::uint64_t>> runs;
    std::set<Values> known;
    for (const SweepRow& row : planned.rows) {
        runs.emplace(row.scenario_hash, row.seed);
        known.insert(row.values);
    }
    std::vector<Values> added;
    for (const SweepRow& row : there.rows)
        if (!there.refined.is_added(row.scenario)) {
            if (!runs.contains({row.scenario_hash, row.seed}))
                return; // another sweep: opening it for writing says so
        } else if (known.insert(row.values).second) {
            added.push_back(row.values);
        }
    plan.add(added);
    plan.set_refined(there.refined.times);
}

std::string_view refine_sweep(SweepPlan& plan, SweepStore& store, const Refining& how) {
    return SweepRefinement{plan, store, how}.refine();
}

}} // namespace bursar::tools
