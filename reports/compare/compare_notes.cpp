#include "reports/compare/compare_notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

/// The variants for which that does not hold.
std::vector<std::string> without(const Comparison& comparison, bool ComparedVariant::*same) {
    std::vector<std::string> labels;
    for (const ComparedVariant& variant : comparison.variants)
        if (!(variant.*same))
            labels.push_back(variant.label);
    return labels;
}

} // namespace

std::vector<std::string> run_notes(const Comparison& comparison) {
    std::vector<std::string> notes;
    const std::uint64_t runs = comparison.num_runs();
    if (!comparison.random)
        notes.emplace_back(
            caveats_of(comparison, &Caveats::uncertain).empty()
                ? "nothing is random: one run per variant, and every difference is exact"
                : "nothing is random: one run per variant; differences are exact for the modelled "
                  "run times, whose own errors stand under `uncertain`");
    else if (runs == 1)
        notes.push_back(fmt::format("1 seed ({}): no intervals, so no difference is clear; "
                                    "--seeds adds runs",
                                    comparison.first_seed));
    else
        notes.push_back(fmt::format("{} seeds ({} to {}), the same for every variant: means over "
                                    "the seeds, differences paired by seed",
                                    runs,
                                    comparison.first_seed,
                                    comparison.first_seed + runs - 1));
    for (const std::string& assumed : caveats_of(comparison, &Caveats::decisive))
        notes.push_back("assumed: " + assumed);
    return notes;
}

std::string end_note(const Comparison& comparison) {
    const std::string end = span_text(comparison.end);
    if (comparison.gives_back && !comparison.keeps)
        return fmt::format("all runs end at {}, when the last job of any run ends; on-demand and "
                           "spot capacity is paid for until the last job of its own run",
                           end);
    if (comparison.gives_back)
        return fmt::format("owned and reserved capacity is paid for until {}, when the last job of "
                           "any run ends; on-demand and spot until the last job of its own run",
                           end);
    if (!comparison.one_end && comparison.one_end_a_seed)
        return fmt::format("all runs of a seed end at one time, the last at {}, `until` of the "
                           "scenario; capacity is paid for until then",
                           end);
    if (!comparison.one_end)
        return fmt::format("runs end at their own `until`, the last at {}; capacity is paid for "
                           "until then, and verdicts on costs and GPU-hours are withheld (?)",
                           end);
    return fmt::format("all runs end at {}, {}; capacity is paid for until then",
                       end,
                       comparison.ends_by_scenario ? "`until` of the scenario"
                                                   : "when the last job of any run ends");
}

std::vector<std::string> withheld_notes(const Comparison& comparison) {
    std::vector<std::string> notes;
    if (const auto labels = without(comparison, &ComparedVariant::same_finished); !labels.empty())
        notes.push_back(
            fmt::format("verdicts on waits, JCT, slowdown and makespan are withheld (?) "
                        "for {}: other jobs finished than for the base; \"at least\" "
                        "counts the unfinished ones as well",
                        fmt::join(labels, "; ")));
    if (const auto labels = without(comparison, &ComparedVariant::same_hours); !labels.empty())
        notes.push_back(
            fmt::format("verdicts on GPU-hours, shares of them and dollars per GPU-hour "
                        "are withheld (?) for {}: an hour of its GPUs does not do what "
                        "one of the base's does",
                        fmt::join(labels, "; ")));
    return notes;
}

std::string jobs_sentence(const Comparison& comparison, const ComparedVariant& variant) {
    if (!variant.jobs || variant.jobs->pairs() == 0)
        return {};
    return fmt::format("{}{}",
                       comparison.random ? fmt::format("seed {}: ", comparison.first_seed)
                                         : std::string{},
                       changes_sentence(*variant.jobs, comparison.variants.front().label));
}

std::vector<std::string> warning_lines(const Comparison& comparison) {
    std::vector<std::string> lines;
    for (const std::string& warning : caveats_of(comparison, &Caveats::warnings))
        lines.push_back("warning: " + warning);
    return lines;
}

std::vector<std::string> caveat_lines(const Comparison& comparison) {
    std::vector<std::string> lines = warning_lines(comparison);
    for (const std::string& sentence : caveats_of(comparison, &Caveats::uncertain))
        lines.push_back("uncertain: " + sentence);
    const auto add = [&](const char* word, std::vector<std::string> Caveats::*kind) {
        const std::vector<std::string> caveats = caveats_of(comparison, kind);
        if (!caveats.empty())
            lines.push_back(fmt::format("{}: {}", word, fmt::join(caveats, "; ")));
    };
    add("assumed", &Caveats::assumed);
    add("not modelled", &Caveats::unmodelled);
    return lines;
}

}} // namespace bursar::reports
