#include "reports/goal/goal.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/scalars/scalar_text.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {

bool Goal::holds(double value) const {
    if (value == limit)
        return !is_strict;
    return is_upper ? value < limit : value > limit;
}

bool Goal::is_met(std::size_t kept, std::size_t seeds) const {
    return static_cast<double>(kept) >= share * static_cast<double>(seeds) - 1e-9;
}

namespace {

/// The finite number that a text begins with, and what follows; nothing where it begins with none.
std::optional<std::pair<double, std::string_view>> leading_number(std::string_view text) {
    double number = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc{} || !std::isfinite(number)) // it also reads "nano" and "inf"
        return std::nullopt;
    return std::pair{number, text.substr(static_cast<std::size_t>(end - text.data()))};
}

/// "0.9" or "90 %": above 0, at most 1.
std::optional<double> share_of_seeds(std::string_view text) {
    const auto read = leading_number(text);
    if (!read)
        return std::nullopt;
    const bool is_percent = read->second == "%" || read->second == " %";
    const double share = is_percent ? read->first / 100 : read->first;
    if ((!is_percent && !read->second.empty()) || !(share > 0 && share <= 1))
        return std::nullopt;
    return share;
}

} // namespace

std::optional<Goal> parse_goal(std::string_view text, ConditionMistake& mistake) {
    constexpr std::string_view word = " in ";
    const std::size_t in = text.rfind(word);
    const auto condition = parse_condition(text.substr(0, in), "wait.p99 < 1 h", mistake);
    if (!condition)
        return std::nullopt;
    const ScalarKind kind = condition->metric->kind;
    const auto factor = unit_factor(condition->unit, kind);
    if (!condition->number || !factor) {
        mistake.why = fmt::format("\"{}\" is not a number{}",
                                  condition->amount,
                                  kind == ScalarKind::seconds ? " with a unit of time, such as 1 h"
                                                              : " of the metric's unit");
        return std::nullopt;
    }
    Goal goal{condition->metric,
              condition->is_less,
              condition->is_strict,
              *condition->number * *factor,
              condition->text};
    if (in == std::string_view::npos)
        return goal;
    const std::string_view seeds = text.substr(in + word.size());
    const auto share = share_of_seeds(seeds);
    if (!share) {
        mistake.why = fmt::format(
            "\"in {}\" is not a share of the seeds above 0 and at most 1, such as in 0.9", seeds);
        return std::nullopt;
    }
    goal.share = *share;
    goal.gives_share = true;
    goal.text += fmt::format(" in {}", seeds);
    return goal;
}

std::vector<bool> leave_work_undone(std::span<const UnfinishedJobs> options) {
    constexpr double slight = 0.01;
    const auto share = [](const UnfinishedJobs& jobs) {
        return jobs.measured > 0 ? jobs.unfinished / jobs.measured : 0.0;
    };
    double least = 1;
    for (const UnfinishedJobs& jobs : options)
        least = std::min(least, share(jobs));
    std::vector<bool> out;
    for (const UnfinishedJobs& jobs : options)
        out.push_back(share(jobs) > least + slight);
    return out;
}

std::string unfinished_text(const UnfinishedJobs& jobs) {
    return fmt::format("{} of {} jobs unfinished",
                       scalar_text(jobs.unfinished, ScalarKind::count),
                       scalar_text(jobs.measured, ScalarKind::count));
}

namespace {

/// What a value leaves out that is of the jobs that finished, where others did not.
std::string finished_note(const ScalarRow& metric) {
    std::string all = metric.name;
    if (const std::size_t at = all.find("_s."); at != std::string::npos)
        all.insert(at, "_at_least");
    const ScalarRow* bound = all == metric.name ? nullptr : find_scalar(all);
    return bound == nullptr ? "of the jobs that finished"
                            : fmt::format("of the jobs that finished; {} counts the others, too",
                                          metric_name(*bound));
}

/// Number and unit of a value: of "12", "0..8" (its upper end), "1.5 USD/gpu-h".
std::optional<std::pair<double, std::string_view>> number_and_unit(std::string_view value) {
    if (const std::size_t dots = value.find(".."); dots != std::string_view::npos)
        value.remove_prefix(dots + 2);
    auto amount = leading_number(value);
    while (amount && amount->second.starts_with(' '))
        amount->second.remove_prefix(1);
    return amount;
}

class GoalJudge {
  public:
    GoalJudge(const Goal& goal, const ScalarRow& by, std::span<const GoalCandidate> ranked)
        : goal_{goal}, by_{by}, ranked_{ranked} {
        std::vector<UnfinishedJobs> jobs;
        for (const GoalCandidate& one : ranked)
            jobs.push_back(one.jobs);
        undone_ = leave_work_undone(jobs);
    }

    GoalAnswer answer() {
        choose();
        answer_.section = {"goal", fmt::format("goal: {}{}", goal_.text, seeds_wanted()), {}};
        answer_.is_met = met_ != nullptr;
        answer_.met = met_ != nullptr ? place_of(*met_) : 0;
        if (met_ != nullptr)
            add_met();
        else
            add("met", "the best option that meets it", std::string{"none"});
        if (skipped_ != nullptr)
            add("left_undone",
                fmt::format("{}, but leaves work undone", ahead()),
                skipped_->name,
                unfinished_text(skipped_->jobs));
        if (missed_ != nullptr)
            add_option("missed",
                       met_ != nullptr ? fmt::format("the next {} option, which misses it", ahead())
                                       : "the last option, which misses it",
                       *missed_);
        answer_.sentence = sentence();
        return std::move(answer_);
    }

  private:
    [[nodiscard]] std::size_t place_of(const GoalCandidate& one) const {
        return static_cast<std::size_t>(&one - ranked_.data());
    }
    /// What options ranked before another are.
    [[nodiscard]] const char* ahead() const {
        return by_.kind == ScalarKind::usd && by_.better != Better::higher ? "cheaper" : "better";
    }
    [[nodiscard]] std::size_t kept(const GoalCandidate& one) const {
        return static_cast<std::size_t>(std::ranges::count_if(
            one.by_seed, [&](const auto& value) { return value && goal_.holds(*value); }));
    }
    [[nodiscard]] bool meets(const GoalCandidate& one) const {
        return !one.by_seed.empty() && goal_.is_met(kept(one), one.by_seed.size());
    }

    /// The best that meets the goal; one that leaves work undone only where no other does.
    void choose() {
        for (const bool undone : {false, true}) {
            missed_ = nullptr;
            for (std::size_t i = 0; i < ranked_.size() && met_ == nullptr; ++i) {
                if (!meets(ranked_[i]))
                    missed_ = &ranked_[i];
                else if (undone_[i] == undone)
                    met_ = &ranked_[i];
                else if (!undone && skipped_ == nullptr)
                    skipped_ = &ranked_[i];
            }
            if (met_ != nullptr)
                break;
        }
        if (met_ == skipped_)
            skipped_ = nullptr;
    }

    [[nodiscard]] bool has_seeds() const {
        return std::ranges::any_of(ranked_,
                                   [](const GoalCandidate& one) { return one.by_seed.size() > 1; });
    }
    [[nodiscard]] std::string seeds_wanted() const {
        return has_seeds() && !goal_.gives_share ? fmt::format(" in {:g} of the seeds", goal_.share)
                                                 : std::string{};
    }
    [[nodiscard]] std::string seeds_text(const GoalCandidate& one) const {
        return fmt::format("{} of {}", kept(one), one.by_seed.size());
    }

    /// "not in seeds 3, 17 and 5 more"; empty: in all.
    [[nodiscard]] std::string breaking(const GoalCandidate& one) const {
        constexpr std::size_t most = 6;
        std::vector<std::uint64_t> seeds;
        for (std::size_t i = 0; i < one.by_seed.size() && i < one.seeds.size(); ++i)
            if (!one.by_seed[i] || !goal_.holds(*one.by_seed[i]))
                seeds.push_back(one.seeds[i]);
        if (seeds.empty())
            return {};
        const std::size_t more = seeds.size() > most ? seeds.size() - most : 0;
        seeds.resize(seeds.size() - more);
        return fmt::format("not in seed{} {}{}",
                           seeds.size() == 1 ? "" : "s",
                           fmt::join(seeds, ", "),
                           more == 0 ? std::string{} : fmt::format(" and {} more", more));
    }

    [[nodiscard]] static std::optional<double> mean(const GoalCandidate& one) {
        double sum = 0;
        std::size_t n = 0;
        for (const auto& value : one.by_seed)
            if (value) {
                sum += *value;
                ++n;
            }
        return n > 0 ? std::optional{sum / static_cast<double>(n)} : std::nullopt;
    }

    void add(std::string key, std::string label, Cell value, std::string note = {}) {
        answer_.section.values.push_back(
            {std::move(key), std::move(label), std::move(value), "", std::move(note)});
    }

    void add_option(const std::string& key, std::string label, const GoalCandidate& one) {
        const bool undone = undone_[place_of(one)];
        add(key, std::move(label), one.name, undone ? unfinished_text(one.jobs) : "");
        if (one.by_seed.size() > 1)
            add(key + "_seeds", "seeds that keep it", seeds_text(one), breaking(one));
        const bool is_part = goal_.metric->of_finished && one.jobs.unfinished > 0;
        answer_.section.values.push_back(
            {key + "_value",
             metric_name(*goal_.metric) + (one.by_seed.size() > 1 ? ", mean" : ""),
             mean(one).value_or(not_known),
             answer_unit(goal_.metric->kind),
             is_part ? finished_note(*goal_.metric) : ""});
        answer_.section.values.push_back({key + "_" + by_.name,
                                          metric_name(by_),
                                          one.rank.value_or(not_known),
                                          answer_unit(by_.kind),
                                          ""});
    }

    void add_met() {
        add_option("met", "the best option that meets it", *met_);
        std::vector<std::string> ends;
        std::vector<std::string> missing;
        for (std::size_t i = 0; i < met_->settings.size(); ++i) {
            if (std::string end = end_of_axis(i); !end.empty())
                ends.push_back(std::move(end));
            for (const GoalCandidate* next : neighbours(i))
                if (!meets(*next))
                    missing.push_back(fmt::format("{} {}{}",
                                                  next->settings[i].first,
                                                  next->settings[i].second,
                                                  next->by_seed.size() > 1
                                                      ? " (kept in " + seeds_text(*next) + " seeds)"
                                                      : std::string{}));
        }
        if (!missing.empty())
            add("neighbours",
                "neighbours that miss it",
                fmt::format("{}", fmt::join(missing, "; ")));
        if (!ends.empty())
            add("axis_end",
                "at the end of an axis",
                fmt::format("{}", fmt::join(ends, "; ")),
                "what lies beyond was not run");
    }

    /// axis_sizes() of the candidates' values of a setting.
    [[nodiscard]] std::vector<double> sizes_on_axis(std::size_t setting) const {
        std::vector<std::string_view> values;
        for (const GoalCandidate& one : ranked_)
            values.push_back(one.settings[setting].second);
        return axis_sizes(values);
    }

    /// "nodes 60 is the least value"; empty: other values lie on both sides, or they have no order.
    [[nodiscard]] std::string end_of_axis(std::size_t setting) const {
        const std::vector<double> sizes = sizes_on_axis(setting);
        if (sizes.empty())
            return {};
        const auto& [name, value] = met_->settings[setting];
        const double own = sizes[place_of(*met_)];
        const auto [least, largest] = std::ranges::minmax(sizes);
        if (own != least && own != largest)
            return {};
        return fmt::format(
            "{} {} is the {} value", name, value, own == least ? "least" : "largest");
    }

    /// The candidates next to the best one on an axis, all else being equal.
    [[nodiscard]] std::vector<const GoalCandidate*> neighbours(std::size_t setting) const {
        const std::vector<double> sizes = sizes_on_axis(setting);
        if (sizes.empty())
            return {};
        const double own = sizes[place_of(*met_)];
        const GoalCandidate* below = nullptr;
        const GoalCandidate* above = nullptr;
        for (const GoalCandidate& one : ranked_) {
            bool is_on_axis = true;
            for (std::size_t i = 0; i < one.settings.size(); ++i)
                is_on_axis = is_on_axis && (i == setting || one.settings[i] == met_->settings[i]);
            if (!is_on_axis)
                continue;
            const double size = sizes[place_of(one)];
            if (size < own && (below == nullptr || size > sizes[place_of(*below)]))
                below = &one;
            if (size > own && (above == nullptr || size < sizes[place_of(*above)]))
                above = &one;
        }
        std::vector<const GoalCandidate*> out;
        for (const GoalCandidate* one : {below, above})
            if (one != nullptr)
                out.push_back(one);
        return out;
    }

    [[nodiscard]] std::string sentence() const {
        if (met_ == nullptr)
            return fmt::format("no option meets {}{}", goal_.text, seeds_wanted());
        return fmt::format(
            "{} meets {}{}{}{}",
            met_->name,
            goal_.text,
            met_->by_seed.size() > 1 ? fmt::format(" in {} seeds", seeds_text(*met_))
                                     : std::string{},
            met_->rank
                ? fmt::format(": {} {}", metric_name(by_), scalar_text(*met_->rank, by_.kind))
                : std::string{},
            missed_ != nullptr || skipped_ != nullptr ? ""
            : by_.better == Better::higher            ? ", the most of all"
                                                      : ", the least of all");
    }

    const Goal& goal_;
    const ScalarRow& by_;
    std::span<const GoalCandidate> ranked_;
    std::vector<bool> undone_;
    const GoalCandidate* met_{};
    const GoalCandidate* missed_{};
    const GoalCandidate* skipped_{}; ///< meets the goal, but leaves work undone
    GoalAnswer answer_;
};

/// The last `num_steps` steps of a path.
std::string_view ending(std::string_view path, std::size_t num_steps) {
    std::size_t at = path.size();
    for (std::size_t i = 0; i < num_steps && at != std::string_view::npos; ++i)
        at = at == 0 ? std::string_view::npos : path.rfind('.', at - 1);
    return at == std::string_view::npos ? path : path.substr(at + 1);
}

} // namespace

std::vector<double> axis_sizes(std::span<const std::string_view> values) {
    std::vector<double> sizes;
    std::vector<std::string_view> units;
    for (const std::string_view value : values) {
        const auto amount = number_and_unit(value);
        if (!amount)
            return {};
        sizes.push_back(amount->first);
        units.push_back(amount->second);
    }
    if (sizes.empty())
        return {};
    const bool is_one_unit = std::ranges::count(units, units.front()) == std::ssize(units);
    for (std::size_t i = 0; i < sizes.size() && !is_one_unit; ++i) {
        const auto seconds = unit_factor(units[i], ScalarKind::seconds);
        if (!seconds)
            return {};
        sizes[i] *= *seconds;
    }
    const auto [least, largest] = std::ranges::minmax(sizes);
    return least < largest ? sizes : std::vector<double>{};
}

GoalAnswer
goal_answer(const Goal& goal, const ScalarRow& by, std::span<const GoalCandidate> ranked) {
    return GoalJudge{goal, by, ranked}.answer();
}

std::vector<std::string> short_paths(const std::vector<std::string>& paths) {
    std::vector<std::string> out;
    for (const std::string& path : paths) {
        std::size_t steps = 1;
        while (ending(path, steps) != path &&
               std::ranges::count(paths, ending(path, steps), [&](const std::string& other) {
                   return ending(other, steps);
               }) > 1)
            ++steps;
        out.emplace_back(ending(path, steps));
    }
    return out;
}

}} // namespace bursar::reports
