#include "scenarios/validation/error_ranges.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace bursar { inline namespace scenarios {
namespace {

using RowRefs = std::vector<const ValidatedRow*>;

/// File and id of a row.
using RowKey = std::pair<std::string_view, std::string_view>;

RowKey key_of(const ValidatedRow& row) {
    return {row.file, row.id};
}

bool is_timed(const ValidatedRow& row) {
    return row.asked && row.predicted && row.time_ratio > 0;
}

/// The rows by shipped profiles, each replaced by a refit that did not see it where the profile was
/// fitted on it.
RowRefs unseen_predictions(const std::vector<ValidatedRow>& rows) {
    std::map<RowKey, const ValidatedRow*> refits;
    for (const ValidatedRow& row : rows)
        if (is_timed(row) && row.is_refit && row.tuning != Tuning::tuned)
            refits.insert_or_assign(key_of(row), &row); // the last is the most careful
    RowRefs chosen;
    for (const ValidatedRow& row : rows) {
        if (!is_timed(row) || row.is_refit)
            continue;
        const auto refit = refits.find(key_of(row));
        chosen.push_back(row.tuning == Tuning::tuned && refit != refits.end() ? refit->second
                                                                              : &row);
    }
    return chosen;
}

void widen(SizeRange& range, double size) {
    range.min = range.max == 0 ? size : std::min(range.min, size);
    range.max = std::max(range.max, size);
}

/// Of the rows that shipped profiles were fitted on.
std::vector<MeasuredStack> measured_stacks(const std::vector<ValidatedRow>& rows) {
    std::vector<MeasuredStack> stacks;
    for (const ValidatedRow& row : rows) {
        if (!is_timed(row) || row.is_refit || row.tuning != Tuning::tuned)
            continue;
        const AskedStep& asked = *row.asked;
        auto stack = std::ranges::find(stacks, asked.stack, &MeasuredStack::name);
        if (stack == stacks.end()) {
            stack = stacks.insert(stacks.end(), MeasuredStack{});
            stack->name = asked.stack;
        }
        if (asked.is_mixture || !row.measures_stack)
            continue;
        if (const std::string chip = chip_of(asked.gpu);
            std::ranges::find(stack->gpus, chip) == stack->gpus.end())
            stack->gpus.push_back(chip);
        widen(stack->gpu_counts, asked.gpus);
        widen(stack->parameters, asked.parameters);
        widen(stack->sequence, asked.sequence);
    }
    for (MeasuredStack& stack : stacks)
        std::ranges::sort(stack.gpus);
    std::ranges::sort(stacks, {}, &MeasuredStack::name);
    return stacks;
}

/// A source with fewer quotients of two layouts has no percentiles of its own.
constexpr std::size_t enough_quotients = 30;

/// Residuals of the quotient of two layouts of one job, from sources that compare enough. Runs of
/// one layout compare nothing.
std::vector<Residual> quotients(const RowRefs& rows, bool are_mixtures) {
    std::map<std::string_view, RowRefs> jobs;
    for (const ValidatedRow* row : rows)
        if (row->asked->is_mixture == are_mixtures)
            jobs[row->rivals].push_back(row);
    std::vector<Residual> residuals;
    for (const auto& [job, layouts] : jobs)
        for (std::size_t i = 0; i < layouts.size(); ++i)
            for (std::size_t j = 0; j < layouts.size(); ++j)
                if (!(layouts[i]->layout == layouts[j]->layout))
                    residuals.push_back(
                        {layouts[i]->source, layouts[i]->time_ratio / layouts[j]->time_ratio});
    std::map<std::string_view, std::size_t> counts;
    for (const Residual& residual : residuals)
        ++counts[residual.source];
    std::erase_if(residuals, [&counts](const Residual& residual) {
        return counts.at(residual.source) < enough_quotients;
    });
    return residuals;
}

/// at_least: is part of the range.
void add_range(StepErrors& errors,
               std::string_view name,
               std::span<const Residual> residuals,
               const ErrorRange& at_least = {}) {
    if (const std::optional<LearntRange> learnt = learn_range(residuals)) {
        const ErrorRange range = united(learnt->range, at_least);
        errors.ranges.push_back(
            {std::string{name}, range.low, range.high, learnt->rows, learnt->sources});
    }
}

/// With fewer, a distance is learnt together with the next nearer one.
constexpr std::size_t enough_sources = 3;

std::size_t num_sources(const std::vector<Residual>& residuals) {
    std::set<std::string_view> sources;
    for (const Residual& residual : residuals)
        sources.insert(residual.source);
    return sources.size();
}

StepErrors learnt(const RowRefs& rows, const std::vector<MeasuredStack>& stacks) {
    StepErrors errors{stacks, {}};
    std::array<std::vector<Residual>, num_distances> residuals;
    for (const ValidatedRow* row : rows)
        residuals[static_cast<std::size_t>(distance_of(*row->asked, errors))].push_back(
            {row->source, row->time_ratio});
    const auto mixture = static_cast<std::size_t>(Distance::mixture);
    for (std::size_t distance = 1; distance < mixture; ++distance)
        if (!residuals[distance].empty() && num_sources(residuals[distance]) < enough_sources)
            residuals[distance].insert(residuals[distance].end(),
                                       residuals[distance - 1].begin(),
                                       residuals[distance - 1].end());
    // No step time is surer than one of a stack that was measured on this GPU.
    ErrorRange nearest;
    for (std::size_t distance = 0; distance < num_distances; ++distance) {
        add_range(errors, distance_names[distance], residuals[distance], nearest);
        if (distance == 0 && !errors.ranges.empty())
            nearest = errors.ranges.front().range();
    }
    add_range(errors, layout_range, quotients(rows, false));
    add_range(errors, mixture_layout_range, quotients(rows, true));
    return errors;
}

/// A step time has the range itself, a rate its inverse.
ErrorRange range_of_figure(const ValidatedRow& row, const ErrorRange& of_time) {
    return row.quantity == "step_s" ? of_time : of_time.inverse();
}

/// The entry that has the same facts as `wanted`; added if there is none.
Coverage& entry_of(std::vector<Coverage>& coverage, Coverage wanted) {
    const auto found = std::ranges::find_if(coverage, [&wanted](const Coverage& known) {
        return known.of == wanted.of && known.is_file == wanted.is_file &&
               known.is_mixture == wanted.is_mixture && known.is_aside == wanted.is_aside;
    });
    return found != coverage.end() ? *found : coverage.emplace_back(std::move(wanted));
}

double absolute_error(const ValidatedRow& row) {
    return std::abs(Prediction{*row.predicted, row.measured}.relative_error());
}

} // namespace

StepErrors learn_step_errors(const std::vector<ValidatedRow>& rows) {
    return learnt(unseen_predictions(rows), measured_stacks(rows));
}

void add_ranges(Validation& validation, const StepErrors& errors) {
    validation.coverage.clear();
    for (ValidatedRow& row : validation.rows)
        if (is_timed(row)) {
            const StepError error = step_error(*row.asked, errors);
            row.distance = error.distance;
            row.range = range_of_figure(row, error.range);
        }
    const RowRefs rows = unseen_predictions(validation.rows);
    std::map<std::string_view, StepErrors> without; // by source that is left out
    for (const ValidatedRow* row : rows) {
        if (without.contains(row->source))
            continue;
        RowRefs others;
        std::ranges::copy_if(rows, std::back_inserter(others), [row](const ValidatedRow* other) {
            return other->source != row->source;
        });
        without[row->source] = learnt(others, errors.stacks);
    }
    std::map<RowKey, const ValidatedRow*> shipped;
    for (const ValidatedRow& row : validation.rows)
        if (is_timed(row) && !row.is_refit)
            shipped.emplace(key_of(row), &row);
    for (const ValidatedRow* row : rows) {
        const ValidatedRow& as_shipped = *shipped.at(key_of(*row));
        const StepErrors& others = without.at(row->source);
        const bool held = step_error(*row->asked, errors).range.holds(as_shipped.time_ratio);
        const bool held_left_out =
            !others.ranges.empty() && step_error(*row->asked, others).range.holds(row->time_ratio);
        const bool is_aside = as_shipped.tuning != Tuning::tuned;
        for (const bool is_file : {true, false}) {
            Coverage& coverage =
                entry_of(validation.coverage,
                         {.of = is_file ? row->file : std::string{name(*row->distance)},
                          .is_file = is_file,
                          .is_mixture = is_file && row->asked->is_mixture,
                          .is_aside = is_aside});
            ++coverage.n;
            coverage.held += held ? 1 : 0;
            coverage.held_left_out += held_left_out ? 1 : 0;
            coverage.error_sum += absolute_error(as_shipped);
            coverage.error_sum_left_out += absolute_error(*row);
        }
    }
}

}} // namespace bursar::scenarios
