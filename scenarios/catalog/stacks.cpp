#include "scenarios/catalog/stacks.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "scenarios/catalog/catalogue_file.hpp"
#include "scenarios/document/node.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

Table<FittedOn> fitted_on_keys() {
    return table<FittedOn>({
        {required("source", &FittedOn::source, text()), "`source` of the measurements"},
        {optional("rows", &FittedOn::rows, list_of(text(), 0)),
         "their ids, or ranges of them: bench-001..109, bench-0001..1437 by 4 (all rows of "
         "the source)"},
        {optional("only", &FittedOn::only, text()),
         "what was fitted on them, where a stack does not count as measured by it (its step "
         "times)"},
    });
}

/// The constants of a profile, within their physical bounds.
Table<StackProfile> constant_keys() {
    std::vector<Key<StackProfile>> keys;
    for (const ProfileConstant& constant : profile_constants()) {
        const NumberRule rule{constant.min, Bound::included, constant.max};
        keys.push_back({{std::string{constant.name},
                         Presence::optional,
                         [rule, &constant](const Reader& at, StackProfile& profile) {
                             if (const std::optional<double> value = rule.read(at))
                                 constant.set(profile, *value);
                         },
                         [rule] { return rule.schema(); }},
                        std::string{constant.meaning}});
    }
    return table(keys);
}

Table<StackProfile> stack_keys() {
    return table<StackProfile>({
        {required("name", &StackProfile::name, text()), "unique; the value of `stack`"},
        {optional("frameworks", &StackProfile::frameworks, list_of(text(), 0)),
         "`framework` names of measurements it speaks for"},
        {required("source", &StackProfile::source, text()), "how its constants were found"},
        {optional("fitted_on", &StackProfile::fitted_on, list_of(fitted_on_keys(), 0)),
         "measurements its constants were fitted on (none)"},
        {optional(
             "held_out_error", &StackProfile::held_out_error, NumberRule{0, Bound::included, 10}),
         "mean absolute error of its step times on measurements it did not see, as a share "
         "(not known)"},
        {section("constants", Presence::optional, constant_keys()),
         "the others keep their defaults"},
    });
}

void put_fitted_on(std::string& out, const FittedOn& seen) {
    out += fmt::format("      - source: {}\n", yaml_quoted(seen.source));
    if (!seen.only.empty())
        out += fmt::format("        only: {}\n", yaml_quoted(seen.only));
    if (seen.rows.empty())
        return;
    out += "        rows:\n";
    for (const std::string& ids : seen.rows)
        out += fmt::format("          - {}\n", yaml_quoted(ids));
}

void put_profile(std::string& out, const StackProfile& profile) {
    out += fmt::format("  - name: {}\n", yaml_quoted(profile.name));
    if (!profile.frameworks.empty()) {
        out += "    frameworks:\n";
        for (const std::string& framework : profile.frameworks)
            out += fmt::format("      - {}\n", yaml_quoted(framework));
    }
    out += fmt::format("    source: {}\n", yaml_quoted(profile.source));
    if (!profile.fitted_on.empty()) {
        out += "    fitted_on:\n";
        for (const FittedOn& seen : profile.fitted_on)
            put_fitted_on(out, seen);
    }
    if (profile.held_out_error)
        out += fmt::format("    held_out_error: {}\n", *profile.held_out_error);
    out += "    constants:\n";
    for (const ProfileConstant& constant : profile_constants())
        out += fmt::format("      {}: {}\n", constant.name, constant.get(profile));
}

struct Named {
    std::string_view profile;
    std::string_view why;
};

Named nearest(const StackClues& clues) {
    const auto has = [&](std::string_view word) {
        return clues.framework.find(word) != std::string_view::npos;
    };
    const Layout& layout = clues.layout;
    const bool fused = clues.attention != Attention::unfused;
    const bool sharded = layout.sharding == Sharding::zero3;
    const bool split = clues.is_searched || layout.tensor > 1 || layout.pipeline > 1;
    const bool deepspeed = has("deepspeed");
    const bool megatron =
        !deepspeed && (has("megatron") || has("nemo") || has("transformer-engine"));
    if (!clues.is_transformer && clues.framework.empty())
        return {"fsdp-flash", "it is no transformer and is trained data parallel"};
    if (clues.framework.empty() && clues.year >= 2025 && fused)
        return {"megatron-core-h100", "GPUs of this generation are mostly trained with it"};
    if (has("jax") || has("maxtext") || has("pax"))
        return {"maxtext", "its framework is built on JAX"};
    if (has("composer") || has("foundry"))
        return {"composer", "its framework is Composer"};
    if (has("async"))
        return {"torchtitan-async-tp", "its tensor parallelism is asynchronous"};
    const bool pytorch = has("fsdp") || has("torch");
    if ((deepspeed || (has("zero") && !pytorch)) && sharded)
        return {"deepspeed-zero3",
                deepspeed ? "its framework is DeepSpeed, with sharded weights"
                          : "ZeRO-3 is DeepSpeed's name for sharded weights"};
    if (megatron && fused)
        return {"megatron-core-h100", "its framework is like Megatron"};
    if (pytorch)
        return {"torchtitan", "its framework is PyTorch"};
    if (sharded)
        return {"torchtitan", "its weights are sharded (zero3)"};
    if (fused && (split || (is_narrow(clues.precision) && clues.has_fp8)))
        return {"megatron-core-h100",
                clues.is_searched && deepspeed
                    ? "its layout is searched, and the DeepSpeed profile is of ZeRO-3 alone "
                      "(\"DeepSpeed ZeRO-3\" searches with that)"
                : clues.is_searched
                    ? "its layout is searched, tensor and pipeline parallel ones too"
                : split ? "its layers are split over GPUs"
                        : "its products are fp8"};
    if (fused)
        return {"fsdp-flash", "it is data parallel with fused attention"};
    if (layout.sequence_parallel)
        return {"megatron-lm-2022-sp", "its attention is unfused and it is sequence parallel"};
    if (deepspeed)
        return {"megatron-deepspeed-2022", "its framework is DeepSpeed"};
    return {"megatron-lm-2021", "its attention is unfused"};
}

} // namespace

const StackProfile* Stacks::find(std::string_view name) const {
    return find_named(all, name);
}

const StackProfile* Stacks::for_framework(std::string_view framework) const {
    const std::string words = lower_case(framework);
    const auto found = std::ranges::find_if(all, [&](const StackProfile& profile) {
        return std::ranges::any_of(profile.frameworks, [&words](const std::string& name) {
            return lower_case(name) == words;
        });
    });
    return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> Stacks::names() const {
    return names_of(all);
}

const Stacks& builtin_stacks() {
    static const Stacks stacks = read_stacks_text(builtin_stacks_yaml, "stacks.yaml");
    return stacks;
}

Stacks read_stacks(const std::string& path) {
    return {read_named_file(path, "stacks", stack_keys())};
}

Stacks read_stacks_text(std::string_view text, const std::string& file) {
    return {read_named_text(text, file, "stacks", stack_keys())};
}

std::string stacks_yaml(const Stacks& stacks) {
    std::string out{"stacks:\n"};
    for (const StackProfile& profile : stacks.all)
        put_profile(out, profile);
    return out;
}

StackClues clues_of(const TrainingJob& job, const Gpu& gpu) {
    return {.layout = job.layout,
            .attention = job.attention,
            .precision = job.precision,
            .has_fp8 = supports(gpu, Precision::fp8)};
}

StackChoice choose_stack(const Stacks& stacks, const StackClues& clues) {
    assert(!stacks.all.empty());
    const Named named = nearest(clues);
    if (const StackProfile* found = stacks.find(named.profile))
        return {found, std::string{named.why}};
    return {&stacks.all.front(),
            stacks.all.size() == 1 ? "it is the only one of the catalogue given"
                                   : "it is the first of the catalogue given"};
}

}} // namespace bursar::scenarios
