#include "scenarios/measurements/stated_settings.hpp"

#include <array>
#include <cctype>
#include <initializer_list>

#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/reader/plain_text.hpp"

namespace bursar::inline scenarios {
namespace {

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words)
        if (text.find(word) != std::string_view::npos)
            return true;
    return false;
}

Precision half_of(const Gpu& gpu, Assumptions& assumptions, std::string_view why) {
    const Precision half = supports(gpu, Precision::bf16) ? Precision::bf16 : Precision::fp16;
    assumptions.push_back(fmt::format("precision: {}, {}", name(half), why));
    return half;
}

struct StackYear {
    std::string_view word;
    int year;
};

// Stacks whose names carry no year; the first word found decides.
constexpr std::array stack_years{StackYear{"megatron-core", 2024},
                                 StackYear{"nemo", 2024},
                                 StackYear{"torchtitan", 2024},
                                 StackYear{"liger", 2024},
                                 StackYear{"megatron-deepspeed", 2022},
                                 StackYear{"fsdp", 2023},
                                 StackYear{"deepspeed", 2023},
                                 StackYear{"flash-attn", 2023},
                                 StackYear{"oneflow", 2021},
                                 StackYear{"apex", 2020}};

} // namespace

std::string plain_name(std::string_view text) {
    std::string result;
    for (const char c : lower_case(text))
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            result += c;
    return result;
}

int year_of_stack(std::string_view framework) {
    for (std::size_t i = 0; i + 4 <= framework.size(); ++i) {
        if (framework[i] == '2' && framework[i + 1] == '0' && std::isdigit(framework[i + 2]) != 0 &&
            std::isdigit(framework[i + 3]) != 0)
            return 2000 + 10 * (framework[i + 2] - '0') + (framework[i + 3] - '0');
    }
    const std::string words = lower_case(framework);
    for (const StackYear& known : stack_years)
        if (words.find(known.word) != std::string::npos)
            return known.year;
    return 2023;
}

Precision stated_precision(std::string_view words, const Gpu& gpu, Assumptions& assumptions) {
    const std::string text = lower_case(words);
    if (has_any(text, {"fp8", "float8", "e4m3", "e5m2"}))
        return Precision::fp8;
    if (has_any(text, {"fp4", "mxfp4", "nvfp4", "int8"})) {
        assumptions.push_back("precision: fp8 rates for " + in_quotes(words));
        return Precision::fp8;
    }
    const bool bf16 = has_any(text, {"bf16", "bfloat16"});
    const bool fp16 = has_any(text, {"fp16", "float16", "half"}) && text != "bfloat16";
    if (bf16 && fp16)
        return half_of(gpu, assumptions, "of the two published");
    if (bf16)
        return Precision::bf16;
    if (fp16)
        return Precision::fp16;
    if (has_any(text, {"tf32"}))
        return Precision::tf32;
    if (has_any(text, {"fp32", "float32", "single", "full"}))
        return Precision::fp32;
    if (has_any(text, {"amp", "mixed", "16"}))
        return half_of(gpu, assumptions, "for " + in_quotes(words));
    return half_of(gpu, assumptions, words.empty() ? "not published" : "word not known");
}

Attention stated_attention(std::string_view words, int stack_year, Assumptions& assumptions) {
    const std::string text = lower_case(words);
    if (has_any(text, {"unfused", "naive", "math", "eager", "standard"}))
        return Attention::unfused;
    if (has_any(text, {"flash4", "flash-4", "fa4", "flashattention-4"})) {
        assumptions.emplace_back("attention: the third generation's efficiency for the fourth");
        return Attention::flash3;
    }
    if (has_any(text, {"flash3", "flash-3", "fa3", "flashattention-3"}))
        return Attention::flash3;
    if (has_any(text, {"flash1", "flash-1", "fa1", "xformers"}))
        return Attention::flash1;
    if (has_any(text, {"flash", "fa2", "sdpa", "fused", "cudnn", "efficient", "flex"}))
        return Attention::flash2;
    const Attention usual = stack_year >= 2023 ? Attention::flash2 : Attention::unfused;
    assumptions.push_back(fmt::format(
        "attention: {}, as usual in {}", stack_year >= 2023 ? "fused" : "unfused", stack_year));
    return usual;
}

StatedSharding
stated_sharding(std::string_view words, std::string_view framework, Assumptions& assumptions) {
    const std::string text = lower_case(words);
    const std::string stack = lower_case(framework);
    StatedSharding result;
    if (text.empty() && has_any(stack, {"megatron", "nemo"}) && year_of_stack(stack) >= 2024) {
        assumptions.emplace_back("sharding: distributed optimizer, as usual with this stack");
        result.sharding = Sharding::zero1;
        return result;
    }
    if (text.empty() && has_any(stack, {"fsdp", "torchtitan"})) {
        assumptions.emplace_back("sharding: fully sharded, as the stack is named");
        result.sharding = Sharding::zero3;
        return result;
    }
    result.offload_optimizer = has_any(text, {"offload"}) && !has_any(text, {"offload none"});
    if (text.empty() || has_any(text, {"no_shard", "ddp"}) || text == "none")
        return result;
    if (has_any(text, {"hsdp", "hybrid"})) {
        assumptions.emplace_back("sharding: over all data-parallel ranks, though groups are used");
        result.sharding = Sharding::zero3;
    } else if (has_any(text,
                       {"zero2", "zero-2", "zero_2", "stage2", "stage 2", "grad_op", "fsdp-zero2"}))
        result.sharding = Sharding::zero2;
    else if (has_any(text,
                     {"zero1", "zero-1", "zero_1", "stage1", "stage 1", "dist", "optimizer"}) &&
             !has_any(text, {"zero3", "zero-3", "fsdp"}))
        result.sharding = Sharding::zero1;
    else if (has_any(text, {"zero", "fsdp", "shard", "stage3", "stage 3"}))
        result.sharding = Sharding::zero3;
    else
        assumptions.push_back("sharding: none, the word " + in_quotes(words) + " is not known");
    return result;
}

Recompute stated_recompute(std::string_view words, Assumptions& assumptions) {
    const std::string text = lower_case(words);
    if (has_any(text, {"select", "partial", "attn", "attention"}))
        return Recompute::selective;
    if (text == "none" || text == "no" || text == "0" || text == "false" || text == "off")
        return Recompute::none;
    if (has_any(text, {"full", "block", "uniform", "checkpoint", "yes", "true"}) || text == "1")
        return Recompute::full;
    assumptions.emplace_back("recompute: none, not published");
    return Recompute::none;
}

bool stated_sequence_parallel(std::string_view words,
                              std::int64_t tensor,
                              int stack_year,
                              Assumptions& assumptions) {
    const std::string text = lower_case(words);
    if (tensor == 1)
        return false; // nothing to share
    if (text == "1" || text == "true" || text == "yes" || text == "on")
        return true;
    if (!text.empty() || stack_year < 2023)
        return false;
    assumptions.emplace_back("sequence parallel: on, as usual with tensor parallel since 2023");
    return true;
}

} // namespace bursar::inline scenarios
