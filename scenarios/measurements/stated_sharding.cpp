#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "scenarios/measurements/stated_settings.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::array<std::string_view, 51> sharding_words{
    "zero",      "stage",       "fsdp",      "full",      "fully",      "shard",      "sharded",
    "sharding",  "shards",      "grad",      "grads",     "gradient",   "gradients",  "op",
    "optimizer", "optimiser",   "optim",     "opt",       "state",      "states",     "os",
    "dist",      "distributed", "none",      "no",        "ddp",        "dp",         "xdp",
    "x",         "data",        "parallel",  "offload",   "offloaded",  "offloading", "cpu",
    "host",      "param",       "params",    "parameter", "parameters", "weight",     "weights",
    "hybrid",    "hsdp",        "deepspeed", "megatron",  "pytorch",    "torch",      "and",
    "with",      "replicated"};

/// Reads the words of a sharding.
class ShardingWords {
  public:
    explicit ShardingWords(std::string_view text) : text_{text}, runs_{runs_of(text)} {
        check_words("sharding", text, sharding_words, usual);
    }

    [[nodiscard]] StatedSharding meaning() const {
        StatedSharding result;
        result.offload_optimizer = has({"offload", "offloaded", "offloading"}) &&
                                   !follows("offload", "none") && !follows("no", "offload");
        result.sharding = level(result.offload_optimizer);
        if (const std::optional<std::int64_t> ranks = number_after("fsdp"); ranks > 2)
            result.shard = *ranks; // fsdp1 and fsdp2 are versions
        result.in_groups =
            has({"hsdp", "hybrid"}) || (has({"fsdp"}) && has({"dp", "xdp"}) && result.shard == 0);
        return result;
    }

  private:
    static constexpr Spellings usual{"none",
                                     "ddp",
                                     "zero1",
                                     "zero2",
                                     "zero3",
                                     "distributed-optimizer",
                                     "shard-grad-op",
                                     "fsdp",
                                     "full-shard",
                                     "hsdp"};

    [[nodiscard]] bool has(std::initializer_list<std::string_view> words) const {
        return std::ranges::any_of(words, [this](std::string_view word) {
            return std::ranges::find(runs_, word) != runs_.end();
        });
    }

    [[nodiscard]] bool follows(std::string_view first, std::string_view second) const {
        for (std::size_t i = 0; i + 1 < runs_.size(); ++i)
            if (runs_[i] == first && runs_[i + 1] == second)
                return true;
        return false;
    }

    [[nodiscard]] std::optional<std::int64_t> number_after(std::string_view word) const {
        for (std::size_t i = 0; i + 1 < runs_.size(); ++i) {
            const std::string& next = runs_[i + 1];
            std::int64_t value = 0;
            if (runs_[i] == word && is_number(next) &&
                std::from_chars(next.data(), next.data() + next.size(), value).ec == std::errc{})
                return value;
        }
        return std::nullopt;
    }

    /// offloads: an optimizer that is only offloaded is not sharded.
    [[nodiscard]] Sharding level(bool offloads) const {
        if (has({"zero", "stage"})) {
            const auto stage = number_after("stage") ? number_after("stage") : number_after("zero");
            if (!stage || *stage > 3)
                fail_setting("sharding", text_, {"zero1", "zero2", "zero3"});
            return static_cast<Sharding>(*stage);
        }
        const bool shards = has({"shard", "sharded", "sharding", "shards"});
        if (follows("no", "shard") || follows("no", "sharding"))
            return Sharding::none;
        if (has({"no"}) && !follows("no", "offload"))
            if (shards ||
                has({"fsdp", "hsdp", "hybrid", "optimizer", "optim", "grad", "gradients"}))
                fail_setting("sharding", text_, usual); // contradicting words
        if (shards && has({"weight", "weights", "param", "params", "parameters"}))
            return Sharding::zero3;
        if (has({"grad", "grads", "gradient", "gradients"}) && (shards || has({"fsdp", "op"})))
            return Sharding::zero2;
        if (has({"fsdp", "hsdp", "hybrid"}) || (shards && has({"full", "fully"})))
            return Sharding::zero3;
        const bool optimizer = has({"optimizer", "optimiser", "optim", "opt", "os"});
        if (optimizer && (shards || has({"dist", "distributed"}) || !offloads))
            return Sharding::zero1;
        if (shards)
            fail_setting("sharding", text_, usual);
        if (has({"none", "no", "ddp", "dp", "replicated", "data"}) || offloads || text_ == "0")
            return Sharding::none;
        fail_setting("sharding", text_, usual);
    }

    std::string_view text_;
    std::vector<std::string> runs_;
};

} // namespace

StatedSharding stated_sharding(std::string_view words, Assumptions& assumptions) {
    if (is_unpublished(words))
        return {};
    const StatedSharding result = ShardingWords{words}.meaning();
    if (result.in_groups)
        assumptions.emplace_back("sharding: over all data-parallel ranks, though groups are used");
    return result;
}

}} // namespace bursar::scenarios
