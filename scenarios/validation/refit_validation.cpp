#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "models/calibration/fit_profile.hpp"
#include "models/calibration/measured_rows.hpp"

#include "scenarios/measurements/calibration.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/validation/training_rows.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t enough_for_folds = 40;
constexpr std::size_t rows_per_constant = 4; ///< fewer would fit noise
constexpr std::size_t max_constants = 16;

std::string family_of(const TrainingCase& measured) {
    const std::string framework = lower_case(measured.row.framework);
    const bool megatron = framework.find("megatron") != std::string::npos &&
                          framework.find("deepspeed") == std::string::npos;
    const std::string& gpu = measured.cluster.gpu.name;
    return fmt::format("{} on {}, {} attention",
                       megatron ? "Megatron" : measured.row.framework,
                       gpu.substr(0, gpu.find('-')),
                       measured.job.attention == Attention::unfused ? "unfused" : "fused");
}

std::vector<StepObservation> observations(const StackFamily& family,
                                          const std::vector<std::size_t>& rows) {
    std::vector<StepObservation> result;
    for (const std::size_t row : rows)
        result.push_back(family.cases[row]->observation());
    return result;
}

struct Refit {
    Split split;
    std::string method;
    Tuning tuning;
};

void run(const StackFamily& family, const Refit& refit, Validation& validation) {
    const std::vector<StepObservation> seen = observations(family, refit.split.fit);
    const StackProfile start; // the shipped profile may have been fitted on rows to score
    const std::vector<std::string> free =
        decisive_constants(seen, start, std::min(max_constants, seen.size() / rows_per_constant));
    if (free.empty() || seen.size() <= free.size())
        return;
    const StackProfile profile = fit_profile(seen, start, free).profile;
    for (const std::size_t row : refit.split.score)
        validation.rows.push_back(
            speed_row(*family.cases[row], profile, refit.method, refit.tuning));
}

/// Five folds; the rows of one network are all in one. Empty for a single network.
std::vector<Split> network_folds(const StackFamily& family) {
    constexpr std::size_t num_folds = 5;
    std::vector<std::string> networks;
    std::vector<std::string> folds;
    for (const TrainingCase* measured : family.cases) {
        const Transformer& model = measured->job.model;
        std::string network =
            fmt::format("{} {} {} {}", model.layers, model.hidden, model.ffn, model.heads);
        const auto known = std::ranges::find(networks, network);
        const auto place = static_cast<std::size_t>(known - networks.begin());
        if (known == networks.end())
            networks.push_back(std::move(network));
        folds.push_back(std::to_string(place % num_folds));
    }
    return networks.size() > 1 ? leave_one_out(folds) : std::vector<Split>{};
}

void validate_one_source(const StackFamily& family, Validation& validation) {
    const std::size_t n = family.cases.size();
    if (n < enough_for_folds)
        return;
    const bool one_node = std::ranges::all_of(family.cases, [](const TrainingCase* measured) {
        return measured->job.layout.gpus() <= measured->cluster.gpus_per_node;
    });
    if (one_node)
        return run(family,
                   {odd_even(n), "refit on odd rows, scored on even", Tuning::held_out},
                   validation);
    for (const Split& fold : k_folds(n, 5))
        run(family, {fold, "refit, 5-fold", Tuning::held_out}, validation);
    for (const Split& fold : network_folds(family))
        run(family, {fold, "refit, networks left out", Tuning::held_out}, validation);
}

void validate_sources(const StackFamily& family, Validation& validation) {
    std::vector<std::string> sources;
    Split joint;
    for (std::size_t i = 0; i < family.cases.size(); ++i) {
        sources.push_back(family.cases[i]->row.source);
        joint.fit.push_back(i);
        joint.score.push_back(i);
    }
    run(family, {joint, "refit jointly", Tuning::tuned}, validation);
    for (const Split& split : leave_one_out(sources))
        run(family, {split, "refit without this source", Tuning::unseen}, validation);
}

} // namespace

std::vector<std::vector<std::size_t>> triples_of(std::size_t rows) {
    std::vector<std::vector<std::size_t>> triples;
    const std::size_t apart = rows / 3;
    for (std::size_t first = 0; first < apart; ++first)
        triples.push_back({first, first + apart, first + 2 * apart});
    return triples;
}

void validate_three_rows(const std::vector<TrainingCase>& cases, Validation& validation) {
    constexpr std::size_t min_triples = 2;
    std::map<std::string, StackFamily> groups; // by source and profile
    for (const TrainingCase& measured : cases)
        if (tuning_of(measured.profile->fitted_on, measured.row) == Tuning::unseen)
            groups[measured.row.source + '\n' + measured.profile->name].cases.push_back(&measured);
    for (const auto& [name, group] : groups) {
        const std::vector<std::vector<std::size_t>> triples = triples_of(group.cases.size());
        if (triples.size() < min_triples)
            continue;
        const StackProfile& start = *group.cases.front()->profile;
        std::vector<StackProfile> profiles;
        for (const std::vector<std::size_t>& triple : triples) {
            const std::vector<StepObservation> seen = observations(group, triple);
            profiles.push_back(fit_profile(seen, start, calibrated_constants(seen, start)).profile);
        }
        for (std::size_t row = 0; row < group.cases.size(); ++row)
            validation.rows.push_back(
                speed_row(*group.cases[row],
                          profiles[(row % triples.size() + 1) % triples.size()],
                          "calibrated on three other rows",
                          Tuning::held_out));
    }
}

std::vector<StackFamily> stack_families(const std::vector<TrainingCase>& cases) {
    std::vector<StackFamily> families;
    for (const TrainingCase& measured : cases) {
        const std::string name = family_of(measured);
        auto family = std::ranges::find(families, name, &StackFamily::name);
        if (family == families.end())
            family = families.insert(families.end(), StackFamily{name, {}});
        family->cases.push_back(&measured);
    }
    return families;
}

void validate_refits(const StackFamily& family, Validation& validation) {
    std::set<std::string> sources;
    for (const TrainingCase* measured : family.cases)
        sources.insert(measured->row.source);
    constexpr std::size_t min_cases = 6;
    if (family.cases.size() < min_cases)
        return;
    if (sources.size() == 1)
        validate_one_source(family, validation);
    else
        validate_sources(family, validation);
}

}} // namespace bursar::scenarios
