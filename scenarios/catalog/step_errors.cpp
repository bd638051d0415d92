#include "scenarios/catalog/step_errors.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/training/job/flops.hpp"
#include "models/training/job/layout.hpp"

#include "scenarios/catalog/catalogue_file.hpp"
#include "scenarios/document/node.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

Table<SizeRange> measured_size_keys() {
    const NumberRule size{0, Bound::included, 1e18};
    return table<SizeRange>({{required("min", &SizeRange::min, size), "the least of its rows"},
                             {required("max", &SizeRange::max, size), "the most of its rows"}});
}

Table<MeasuredStack> measured_stack_keys() {
    using S = MeasuredStack;
    return table<S>({
        {required("name", &S::name, text()), "a profile of stacks.yaml"},
        {required("gpus", &S::gpus, list_of(text(), 0)), "chips of its rows of dense networks"},
        {required("gpu_counts", &S::gpu_counts, measured_size_keys()), "GPUs of a run"},
        {required("parameters", &S::parameters, measured_size_keys()), "of the network"},
        {required("sequence", &S::sequence, measured_size_keys()), "tokens"},
    });
}

Table<NamedRange> named_range_keys() {
    using R = NamedRange;
    const NumberRule factor{0, Bound::excluded, 1000};
    const WholeNumberRule count{1, 1'000'000'000};
    return table<R>({
        {required("name", &R::name, text()), "a distance"},
        {required("low", &R::low, factor), "10th percentile of truth / prediction"},
        {required("high", &R::high, factor), "90th percentile"},
        {required("rows", &R::rows, count), "that it was learnt from"},
        {required("sources", &R::sources, count), "of these rows"},
    });
}

std::string size_text(const SizeRange& size) {
    return fmt::format("{{min: {:.4g}, max: {:.4g}}}", size.min, size.max);
}

bool is_beyond(double size, const SizeRange& measured) {
    constexpr double far = 2;
    return size > far * measured.max || size * far < measured.min;
}

const MeasuredStack* measured_stack(const AskedStep& asked, const StepErrors& errors) {
    return asked.is_stack_known ? find_named(errors.stacks, asked.stack) : nullptr;
}

std::string_view meaning_of(Distance distance) {
    switch (distance) {
    case Distance::measured:
        return "this stack was measured on this GPU";
    case Distance::other_gpu:
        return "this stack was measured on other GPUs";
    case Distance::beyond_sizes:
        return "this stack was not measured at such sizes";
    case Distance::nearest_stack:
        return "the stack is not known: the nearest one";
    case Distance::other_family:
        return "no stack was measured on such a GPU";
    case Distance::mixture:
        return "a mixture of experts";
    }
    return "";
}

} // namespace

AskedStep asked_step(const StackProfile& profile,
                     bool is_stack_known,
                     const TrainingJob& job,
                     std::string_view gpu) {
    return {profile.name,
            is_stack_known,
            profile.held_out_error,
            std::string{gpu},
            job.model.experts.has_value(),
            static_cast<double>(job.layout.gpus()),
            parameters(job.model),
            static_cast<double>(job.sequence)};
}

const NamedRange* StepErrors::find(std::string_view name) const {
    return find_named(ranges, name);
}

const StepErrors& builtin_step_errors() {
    static const StepErrors errors =
        read_step_errors_text(builtin_step_errors_yaml, "step_errors.yaml");
    return errors;
}

StepErrors read_step_errors_text(std::string_view text, const std::string& file) {
    const CatalogueFile<StepErrors> reader{
        table<StepErrors>(
            {{required("stacks", &StepErrors::stacks, list_of(measured_stack_keys(), 0)),
              "what each stack was measured on"},
             {required("ranges", &StepErrors::ranges, list_of(named_range_keys())),
              "80 % ranges by distance"}}),
        [](const Reader& root) {
            UniqueNames{}.claim_names(root, "stacks");
            UniqueNames{}.claim_names(root, "ranges");
        }};
    return reader.read_text(text, file);
}

std::string step_errors_yaml(const StepErrors& errors) {
    std::string out = "# Written by `bursar model validate DIR --errors FILE`; README.md has the "
                      "meaning of the keys.\nstacks:\n";
    for (const MeasuredStack& stack : errors.stacks)
        out += fmt::format("  - name: {}\n    gpus: [{}]\n    gpu_counts: {}\n    parameters: {}\n"
                           "    sequence: {}\n",
                           stack.name,
                           fmt::join(stack.gpus, ", "),
                           size_text(stack.gpu_counts),
                           size_text(stack.parameters),
                           size_text(stack.sequence));
    out += "ranges:\n";
    for (const NamedRange& range : errors.ranges)
        out += fmt::format("  - {{name: {}, low: {:.3f}, high: {:.3f}, rows: {}, sources: {}}}\n",
                           range.name,
                           range.low,
                           range.high,
                           range.rows,
                           range.sources);
    return out;
}

std::string chip_of(std::string_view gpu) {
    std::string chip{gpu.substr(0, gpu.find('-'))};
    if (chip.starts_with("GB") || chip.starts_with("GH"))
        chip.erase(0, 1);
    return chip == "H200" ? "H100" : chip; // the same chip with more memory
}

Distance distance_of(const AskedStep& asked, const StepErrors& errors) {
    if (asked.is_mixture)
        return Distance::mixture;
    const std::string chip = chip_of(asked.gpu);
    const auto has_chip = [&chip](const MeasuredStack& stack) {
        return std::ranges::find(stack.gpus, chip) != stack.gpus.end();
    };
    if (std::ranges::none_of(errors.stacks, has_chip))
        return Distance::other_family;
    const MeasuredStack* stack = measured_stack(asked, errors);
    if (stack == nullptr)
        return Distance::nearest_stack;
    if (!stack->gpus.empty() && (is_beyond(asked.gpus, stack->gpu_counts) ||
                                 is_beyond(asked.parameters, stack->parameters) ||
                                 is_beyond(asked.sequence, stack->sequence)))
        return Distance::beyond_sizes;
    return has_chip(*stack) ? Distance::measured : Distance::other_gpu;
}

StepError step_error(const AskedStep& asked, const StepErrors& errors) {
    StepError error;
    const auto range_at = [&errors](Distance distance) {
        const NamedRange* found = nullptr;
        for (auto at = static_cast<std::size_t>(distance); found == nullptr && at < num_distances;
             ++at)
            found = errors.find(distance_names[at]);
        return found == nullptr ? &errors.ranges.back() : found;
    };
    const bool is_users = asked.is_stack_known && asked.held_out_error && !asked.is_mixture &&
                          measured_stack(asked, errors) == nullptr;
    error.distance = is_users ? Distance::measured : distance_of(asked, errors);
    const NamedRange& learnt = *range_at(error.distance);
    error.range = learnt.range();
    if (is_users) {
        error.range = united(error.range, range_of_mean_error(*asked.held_out_error));
        error.why = "held-out error of the profile";
        return error;
    }
    const bool is_unmeasured = error.distance == Distance::nearest_stack && asked.is_stack_known;
    error.why = fmt::format("{}; learnt from {} row{} of {} source{}",
                            is_unmeasured ? "no run outside its fit was held against this stack"
                                          : meaning_of(error.distance),
                            learnt.rows,
                            learnt.rows == 1 ? "" : "s",
                            learnt.sources,
                            learnt.sources == 1 ? "" : "s");
    return error;
}

ErrorRange layout_quotient(bool is_mixture, const StepErrors& errors) {
    const NamedRange* learnt = errors.find(is_mixture ? mixture_layout_range : layout_range);
    return learnt != nullptr ? learnt->range() : step_error({.is_mixture = true}, errors).range;
}

}} // namespace bursar::scenarios
