#include "scenarios/measurements/stated_settings.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

Precision half_of(const Gpu& gpu, Assumptions& assumptions, std::string_view why) {
    const Precision half = supports(gpu, Precision::bf16) ? Precision::bf16 : Precision::fp16;
    assumptions.push_back(fmt::format("precision: {}, {}", name(half), why));
    return half;
}

constexpr Spellings usual_formats{"bf16", "fp16", "fp8", "mxfp8", "nvfp4", "tf32", "fp32", "amp"};
constexpr std::array<std::string_view, 38> precision_words{
    "fp",       "float",     "bf",      "bfloat", "tf",     "e",          "m",     "int",
    "mxfp",     "nvfp",      "single",  "half",   "full",   "amp",        "mixed", "precision",
    "training", "pure",      "true",    "o",      "hybrid", "cs",         "mx",    "ds",
    "sc",       "current",   "scaling", "tensor", "wise",   "tensorwise", "row",   "rowwise",
    "block",    "blockwise", "delayed", "auto",   "te",     "params"};

constexpr std::array<std::string_view, 28> attention_words{
    "unfused",        "naive",     "math",   "eager",     "standard", "flash",   "fa",
    "flashattention", "flashattn", "attn",   "attention", "sdpa",     "fused",   "cudnn",
    "efficient",      "mem",       "memory", "flex",      "xformers", "v",       "te",
    "core",           "triton",    "torch",  "kernel",    "dot",      "product", "local"};

constexpr std::array<std::string_view, 31> recompute_words{
    "none",       "no",          "false",         "off",        "selective",   "select",
    "partial",    "attn",        "attention",     "core",       "sac",         "op",
    "ops",        "operator",    "operators",     "full",       "block",       "uniform",
    "checkpoint", "checkpoints", "checkpointing", "activation", "activations", "gradient",
    "yes",        "true",        "layer",         "layers",     "every",       "all",
    "transformer"};

} // namespace

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words)
        if (text.find(word) != std::string_view::npos)
            return true;
    return false;
}

std::vector<std::string> runs_of(std::string_view text) {
    const auto kind = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return std::isdigit(byte) != 0 ? 1 : std::isalpha(byte) != 0 ? 2 : 0;
    };
    std::vector<std::string> runs;
    int before = 0;
    for (const char c : lower_case(text)) {
        const int now = kind(c);
        if (now != 0 && now != before)
            runs.emplace_back();
        if (now != 0)
            runs.back() += c;
        before = now;
    }
    return runs;
}

bool is_number(std::string_view run) {
    return !run.empty() && std::isdigit(static_cast<unsigned char>(run.front())) != 0;
}

void check_words(const char* column,
                 std::string_view text,
                 std::span<const std::string_view> known,
                 Spellings usual) {
    for (const std::string& run : runs_of(text))
        if (!is_number(run) && std::ranges::find(known, run) == known.end())
            throw ModelError{
                column,
                fmt::format("{} is not known (\"{}\")", in_quotes(text), run),
                suggestion(text, std::vector<std::string>{usual.begin(), usual.end()})};
}

void fail_setting(const char* column, std::string_view text, Spellings usual) {
    throw ModelError{column,
                     in_quotes(text) + " is not known",
                     suggestion(text, std::vector<std::string>{usual.begin(), usual.end()})};
}

bool is_unpublished(std::string_view words) {
    const std::string text = plain_name(words);
    return text.empty() || text == "unpublished" || text == "unknown" || text == "na";
}

std::string plain_name(std::string_view text) {
    std::string result;
    for (const char c : lower_case(text))
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            result += c;
    return result;
}

Precision stated_precision(std::string_view words, const Gpu& gpu, Assumptions& assumptions) {
    if (is_unpublished(words))
        return half_of(gpu, assumptions, "not published");
    check_words("precision", words, precision_words, usual_formats);
    const std::string text = lower_case(words);
    if (has_any(text, {"fp4", "e2m1"}) && supports(gpu, Precision::nvfp4))
        return Precision::nvfp4;
    if (has_any(text, {"fp4", "e2m1", "int8"})) {
        assumptions.push_back("precision: fp8 rates for " + in_quotes(words));
        return Precision::fp8;
    }
    if (has_any(text, {"fp8", "float8", "e4m3", "e5m2"})) // blocks of others run on these units too
        return has_any(text, {"mx", "block"}) && supports(gpu, Precision::mxfp8) ? Precision::mxfp8
                                                                                 : Precision::fp8;
    const bool bf16 = has_any(text, {"bf16", "bfloat16"});
    const bool fp16 = has_any(plain_name(text), {"fp16", "float16", "half"}) && text != "bfloat16";
    if (bf16 && fp16)
        return half_of(gpu, assumptions, "of the two published");
    if (bf16)
        return Precision::bf16;
    if (fp16)
        return Precision::fp16;
    if (has_any(text, {"tf32"}))
        return Precision::tf32;
    if (has_any(text, {"fp32", "float32", "single", "full", "32"}))
        return Precision::fp32;
    if (has_any(text, {"amp", "mixed", "16"}))
        return half_of(gpu, assumptions, "for " + in_quotes(words));
    fail_setting("precision", words, usual_formats);
}

std::optional<Attention>
stated_attention(std::string_view words, const Gpu& gpu, int stack_year, Assumptions& assumptions) {
    if (is_unpublished(words))
        return std::nullopt;
    check_words("attention",
                words,
                attention_words,
                {"unfused", "flash", "flash1", "flash2", "flash3", "sdpa", "cudnn", "xformers"});
    const std::string text = plain_name(words);
    const auto generation = [&text](char number) {
        for (const std::string_view name : {"flash", "flashattention", "flashattn", "flashv", "fa"})
            if (text.find(std::string{name} + number) != std::string::npos)
                return true;
        return false;
    };
    if (has_any(text, {"unfused", "naive", "math", "eager", "standard"}))
        return Attention::unfused;
    if (generation('4')) {
        assumptions.emplace_back("attention: the third generation's efficiency for the fourth");
        return Attention::flash3;
    }
    if (generation('3'))
        return Attention::flash3;
    if (generation('1') || has_any(text, {"xformers"}))
        return Attention::flash1;
    if (text == "flash" && stack_year < 2023 && !supports(gpu, Precision::fp8)) {
        assumptions.push_back(fmt::format("attention: flash1, the generation of {}", stack_year));
        return Attention::flash1;
    }
    if (text == "flash" && stack_year >= 2025 && supports(gpu, Precision::fp8)) {
        assumptions.push_back(fmt::format("attention: flash3, the generation of {}", stack_year));
        return Attention::flash3;
    }
    if (has_any(text, {"flash", "fa", "sdpa", "fused", "cudnn", "efficient", "flex"}))
        return Attention::flash2;
    fail_setting("attention", words, {"unfused", "flash", "flash1", "flash2", "flash3", "sdpa"});
}

std::optional<Recomputation> stated_recompute(std::string_view words) {
    if (is_unpublished(words))
        return std::nullopt;
    check_words("recompute", words, recompute_words, {"none", "selective", "full"});
    const std::string text = plain_name(words);
    const std::vector<std::string> runs = runs_of(words);
    const auto has = [&runs](std::initializer_list<std::string_view> any) {
        return std::ranges::any_of(any, [&runs](std::string_view word) {
            return std::ranges::find(runs, word) != runs.end();
        });
    };
    if (has({"no", "none", "false", "off"}) &&
        has({"op", "ops", "selective", "select", "sac", "attn", "attention", "core", "full"}))
        fail_setting("recompute", words, {"none", "selective", "full"}); // which of the two?
    if (runs.size() > 1 && runs[0] == "every")
        if (const std::optional<Recomputation> every = recompute_named("every " + runs[1]))
            return every;
    if (has({"op", "ops", "operator", "operators"}))
        return Recompute::operators;
    if (has({"selective", "select", "partial", "sac", "attn", "attention", "core"}))
        return Recompute::selective;
    if (has({"none", "no", "false", "off"}) || text == "0")
        return Recompute::none;
    if (has({"full", "block", "uniform", "yes", "true"}) || text == "1" ||
        has_any(text, {"checkpoint"}))
        return Recompute::full;
    fail_setting("recompute", words, {"none", "selective", "full"});
}

std::optional<bool> stated_sequence_parallel(std::string_view words) {
    const std::string text = plain_name(words);
    if (text == "1" || text == "true" || text == "yes" || text == "on")
        return true;
    if (text == "0" || text == "false" || text == "no" || text == "off")
        return false;
    if (!is_unpublished(words))
        fail_setting("seq_parallel", words, {"yes", "no", "true", "false", "1", "0"});
    return std::nullopt;
}

}} // namespace bursar::scenarios
