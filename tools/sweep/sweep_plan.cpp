#include "tools/sweep/sweep_plan.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>
#include <sstream>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/document/canonical_hash.hpp"
#include "scenarios/document/load_document.hpp"
#include "scenarios/traces/trace_options.hpp"

#include "tools/simulate/version.hpp"
#include "tools/sweep/sweep_pruning.hpp"

namespace bursar { inline namespace tools {
namespace {

/// Scenarios kept in memory, some 10 kB each, until they are run. Others are read again for each of
/// their runs.
constexpr std::size_t max_kept = 16'384;

[[noreturn]] void
refuse(const std::string& file, std::string problem, std::string why, std::string suggestion) {
    throw ScenarioError{
        Finding{{file}, "sweep", std::move(problem), std::move(why), std::move(suggestion)}};
}

std::vector<std::uint64_t> seeds_of(const SweepRequest& request, const Scenario& base) {
    const SweepSpec* spec = base.sweep ? &*base.sweep : nullptr;
    if (spec != nullptr && !spec->seeds.empty() && !request.seed && !request.seeds)
        return spec->seeds;
    const std::int64_t given = spec != nullptr ? spec->num_seeds.value_or(base.seeds) : base.seeds;
    std::vector<std::uint64_t> seeds(static_cast<std::size_t>(request.seeds.value_or(given)));
    std::iota(seeds.begin(), seeds.end(), first_seed(base, request.seed));
    return seeds;
}

/// Intervals of a sweep are of means over the seeds: over draws of one trace they would be as
/// narrow as one likes.
void check_not_resampled(const Scenario& scenario) {
    if (is_resampled(scenario))
        throw ScenarioError{Finding{{scenario.file},
                                    "workload.trace.resample",
                                    "a sweep has no intervals over draws of one trace",
                                    "its intervals are of independent seeds",
                                    "`bursar compare --resample N`, or `--seeds 1`"}};
}

std::uint64_t content_hash_of(const std::string& file) {
    std::ifstream in{file, std::ios::binary};
    std::ostringstream bytes;
    bytes << in.rdbuf();
    return text_hash(bytes.view());
}

/// Runs that share a plan, and their estimated time.
struct Piece {
    double cost{};
    std::vector<std::size_t> runs;
};

double cost_of(std::span<const PlannedRun> runs) {
    return std::accumulate(runs.begin(), runs.end(), 0.0, [](double sum, const PlannedRun& run) {
        return sum + run.cost;
    });
}

/// All runs, longest piece first. Plans stay whole unless they take more than `most`.
std::vector<Piece> pieces_of(std::span<const PlannedRun> runs, double most) {
    std::vector<Piece> pieces;
    std::unordered_map<std::uint64_t, std::size_t> open; // index of the piece that a plan's runs go
                                                         // to
    for (std::size_t i = 0; i < runs.size(); ++i) {
        auto [at, is_new] = open.try_emplace(runs[i].plan_key, pieces.size());
        if (!is_new && pieces[at->second].cost + runs[i].cost > most)
            is_new = true;
        if (is_new) {
            at->second = pieces.size();
            pieces.emplace_back();
        }
        pieces[at->second].cost += runs[i].cost;
        pieces[at->second].runs.push_back(i);
    }
    std::ranges::stable_sort(pieces, std::ranges::greater{}, &Piece::cost);
    return pieces;
}

} // namespace

SweepPlan::SweepPlan(const SweepRequest& request)
    : loader_{std::make_unique<ScenarioLoader>(request.source)},
      base_{std::make_unique<LoadedScenario>(loader_->load())},
      has_block_{base_->scenario.sweep.has_value()} {
    std::vector<Axis> axes = request.vary;
    if (axes.empty() && has_block_)
        axes = base().sweep->axes;
    grid_ = std::make_unique<VariantGrid>(std::move(axes));
    expand(request);
}

LoadedScenario SweepPlan::load(std::size_t scenario) const {
    if (scenario < kept_.size() && !kept_[scenario].has_one_run)
        return kept_[scenario].loaded;
    const std::lock_guard lock{loading_};
    if (scenario < kept_.size() && !std::exchange(kept_[scenario].is_taken, true))
        return std::move(kept_[scenario].loaded);
    return read(sets_of(scenario));
}

std::vector<Override> SweepPlan::sets_of(std::size_t scenario) const {
    return scenario < grid_->size() ? grid_->at(scenario).sets
                                    : sets_for(added_[scenario - grid_->size()]);
}

std::vector<Override> SweepPlan::sets_for(const std::vector<std::string>& values) const {
    std::vector<Override> sets = grid_->at(0).sets;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        sets[i].value = values[i];
        sets[i].origin = "--refine";
    }
    return sets;
}

std::vector<std::string> SweepPlan::values_of(std::size_t scenario) const {
    std::vector<std::string> values;
    for (Override& set : sets_of(scenario))
        values.push_back(std::move(set.value));
    return values;
}

LoadedScenario SweepPlan::read(std::vector<Override> sets) const {
    if (has_block_)
        sets.push_back({"sweep", {}, "sweep"});
    return loader_->load(sets);
}

bool SweepPlan::can_read(const std::vector<std::string>& values) const {
    try {
        const LoadedScenario loaded = read(sets_for(values));
        check_seeds(base(), loaded.scenario);
        return compiled_ == nullptr ||
               planned_run(0, loaded.scenario, seeds_.front()).plan_key == runs_.front().plan_key;
    } catch (const ScenarioError&) {
        return false;
    }
}

void SweepPlan::add(std::span<const std::vector<std::string>> scenarios) {
    check_limit(num_scenarios() + scenarios.size());
    added_.insert(added_.end(), scenarios.begin(), scenarios.end());
    const std::size_t first = runs_.size();
    MistakesOfAll mistakes;
    for (std::size_t i = 0; i < scenarios.size(); ++i)
        mistakes.collect([&] {
            LoadedScenario loaded = read(sets_for(scenarios[i]));
            check_seeds(base(), loaded.scenario);
            plan_scenario(num_scenarios(), std::move(loaded));
        });
    mistakes.throw_if_any();
    if (!pruned_.empty())
        pruned_.resize(num_scenarios());
    add_to_identity(first);
}

/// Plans the runs of a scenario, and keeps it for them.
void SweepPlan::plan_scenario(std::size_t number, LoadedScenario loaded) {
    if (seeds_.size() > 1)
        check_not_resampled(loaded.scenario);
    hashes_.push_back(loaded.scenario.hash);
    const std::size_t num_seeds = is_random(loaded.scenario) ? seeds_.size() : 1;
    most_runs_ = std::max(most_runs_, num_seeds);
    for (std::size_t n = 0; n < num_seeds; ++n)
        runs_.push_back(planned_run(number, loaded.scenario, seeds_[n]));
    if (kept_.size() == number && number < max_kept)
        kept_.push_back({std::move(loaded), num_seeds == 1});
}

void SweepPlan::check_limit(std::uint64_t scenarios) const {
    if (scenarios > limit_ / seeds_.size())
        refuse(base().file,
               scenarios > usual_max_scenarios * usual_max_scenarios
                   ? std::string{"too many scenarios to count"}
                   : fmt::format("{} scenarios with {} seeds each", scenarios, seeds_.size()),
               fmt::format("at most {} runs", limit_),
               "`--max-scenarios N` for more");
}

void SweepPlan::expand(const SweepRequest& request) {
    seeds_ = seeds_of(request, base());
    const std::string& file = request.source.file;
    if (grid_->axes().empty() && seeds_.size() < 2)
        refuse(file,
               "nothing to sweep",
               "neither axes nor seeds",
               "`--vary PATH=V1,V2`, `--seeds N`, or a `sweep` in the scenario");
    limit_ = static_cast<std::uint64_t>(request.max_scenarios.value_or(
        base().sweep ? base().sweep->max_scenarios.value_or(usual_max_scenarios)
                     : std::int64_t{usual_max_scenarios}));
    check_limit(grid_->size());
    MistakesOfAll mistakes;
    std::set<std::string> files;
    std::optional<SweepPruning> pruning;
    if (request.prune)
        pruning.emplace(*request.prune);
    for (std::size_t i = 0; i < grid_->size(); ++i)
        mistakes.collect([&] {
            LoadedScenario loaded = read(sets_of(i));
            check_seeds(base(), loaded.scenario);
            files.insert(loaded.scenario.inputs.begin(), loaded.scenario.inputs.end());
            if (pruning)
                pruning->add(
                    loaded,
                    sets_of(i),
                    std::span{seeds_}.first(is_random(loaded.scenario) ? seeds_.size() : 1));
            plan_scenario(i, std::move(loaded));
        });
    mistakes.throw_if_any();
    if (pruning)
        prune(pruning->reasons());
    if (request.plan) {
        check_plan(*request.plan);
        compiled_ = request.plan->compiled;
        if (const auto* trace = std::get_if<TraceWorkload>(&base().workload))
            files.erase((*trace)->file); // the plan already has its content, and the scenario's own
                                         // documents
        files.erase(base().file);
        files.insert(request.plan->file);
    }
    identify(request, {files.begin(), files.end()});
}

/// Pruned runs take almost no time: this keeps shards and chunks even.
void SweepPlan::prune(std::vector<std::string> reasons) {
    constexpr double of_a_row = 1e-6;
    pruned_ = std::move(reasons);
    for (PlannedRun& run : runs_)
        if (!pruned_[run.scenario].empty())
            run.cost = of_a_row;
}

/// Refuses a plan if the sweep's scenarios compile to another one.
void SweepPlan::check_plan(const CompiledPlan& plan) const {
    const auto other = std::ranges::find_if(
        runs_, [&](const PlannedRun& run) { return run.plan_key != plan.plan_key; });
    if (other == runs_.end())
        return;
    const Variant variant = grid_->at(other->scenario);
    std::string changed = other->seed != runs_.front().seed ? "seeds" : "";
    for (const Override& set : variant.sets)
        if (!set.path.starts_with("policy."))
            changed += fmt::format("{}{}", changed.empty() ? "" : ", ", set.path);
    if (changed.empty())
        changed = fmt::format("policy ({})", variant.label);
    throw ScenarioError{Finding{{plan.file},
                                changed,
                                "is compiled into the plan",
                                "a sweep of a plan file may vary what plans do not hold, as "
                                "policy.queue",
                                "the scenario that it was compiled from"}};
}

/// Files that are no documents count by their content; documents count as they were read.
void SweepPlan::identify(const SweepRequest& request, const std::vector<std::string>& files) {
    inputs_.add_all(files);
    std::vector<std::string> documents;
    if (!request.source.text)
        documents = document_facts(request.source.file).files;
    identity_ = text_hash(version);
    if (request.prune)
        identity_ = combined_hash(identity_, text_hash(fmt::format("prune {}", *request.prune)));
    for (const std::string& file : files)
        if (std::ranges::find(documents, file) == documents.end())
            contents_.emplace(file, content_hash_of(file));
    for (const auto& [file, hash] : contents_)
        identity_ = combined_hash(identity_, hash);
    for (const Axis& axis : grid_->axes())
        identity_ = combined_hash(identity_, text_hash(axis.path));
    add_to_identity(0);
}

void SweepPlan::add_to_identity(std::size_t first_run) {
    for (std::size_t run = first_run; run < runs_.size(); ++run)
        identity_ = combined_hash(identity_, combined_hash(scenario_hash(run), runs_[run].seed));
}

std::size_t SweepPlan::num_plans() const {
    std::unordered_set<std::uint64_t> keys;
    for (std::size_t i = 0; i < runs_.size(); ++i)
        if (why_pruned(i).empty())
            keys.insert(runs_[i].plan_key);
    return keys.size();
}

std::vector<std::size_t> SweepPlan::runs_of(const Shard& shard) const {
    const double most = cost_of(runs_) / (4 * static_cast<double>(shard.count));
    std::vector<double> load(shard.count);
    std::vector<std::size_t> out;
    for (const Piece& piece : pieces_of(runs_, most)) { // longest first, to the least loaded shard
        const auto least = std::ranges::min_element(load);
        *least += piece.cost;
        if (static_cast<std::uint64_t>(least - load.begin()) == shard.index - 1)
            out.insert(out.end(), piece.runs.begin(), piece.runs.end());
    }
    std::ranges::sort(out);
    return out;
}

std::vector<std::vector<std::size_t>> SweepPlan::chunks_for(std::uint64_t workers) const {
    const double share = cost_of(runs_) / static_cast<double>(workers);
    std::vector<std::vector<std::size_t>> chunks;
    double open = share; // rest of the last chunk; a chunk that is long enough takes no more
    for (const Piece& piece : pieces_of(runs_, share / 32)) {
        if (open + piece.cost > share / 256) {
            chunks.emplace_back();
            open = 0;
        }
        open += piece.cost;
        chunks.back().insert(chunks.back().end(), piece.runs.begin(), piece.runs.end());
    }
    return chunks;
}

}} // namespace bursar::tools
