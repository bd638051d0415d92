#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/gpu/gpu.hpp"
#include "models/training/job/layout.hpp"
#include "models/training/job/training_job.hpp"

/// Meaning of the words of published tables. Unpublished settings follow from rules and are added
/// to `assumptions`. An unknown word is a ModelError that lists the nearest spellings.
namespace bursar { inline namespace scenarios {

/// Whether any of `words` stands anywhere in `text`.
bool has_any(std::string_view text, std::initializer_list<std::string_view> words);

/// Runs of letters and runs of digits, in lower case: "zero3+cpu-offload" is zero, 3, cpu, offload.
std::vector<std::string> runs_of(std::string_view text);

/// Whether a run is of digits.
bool is_number(std::string_view run);

/// Whether a published table means "not published": "", "unpublished", "unknown".
bool is_unpublished(std::string_view words);

/// Spellings that a message suggests.
using Spellings = std::initializer_list<const char*>;

/// Throws ModelError for a text with a word that is not `known`. Numbers may stand anywhere.
void check_words(const char* column,
                 std::string_view text,
                 std::span<const std::string_view> known,
                 Spellings usual);

/// Throws ModelError for known words that are no setting together.
[[noreturn]] void fail_setting(const char* column, std::string_view text, Spellings usual);

using Assumptions = std::vector<std::string>;

/// The format of the matrix products on `gpu`, from "fp16-mixed", "amp-fp16", "fp16/bf16-mixed",
/// "fp8-hybrid", "tf32", ... "" is the GPU's 16-bit format.
Precision stated_precision(std::string_view words, const Gpu& gpu, Assumptions& assumptions);

/// Kernel generation of "unfused", "flash", "flash2", "sdpa", "flash4", ...; absent where it was
/// not published. "flash" alone is the first generation before 2023, unless `gpu` is newer than it.
std::optional<Attention>
stated_attention(std::string_view words, const Gpu& gpu, int stack_year, Assumptions& assumptions);

struct StatedSharding {
    std::optional<Sharding> sharding{}; ///< absent: not published
    bool offload_optimizer{};
    std::int64_t shard{}; ///< ranks that share the states, as stated ("fsdp128xdp4"); 0: not stated
    bool in_groups{};     ///< of fewer than all ranks, of unknown size
};

/// The sharding of "zero1".."zero3", "fsdp", "hsdp", "distributed-optimizer",
/// "zero3+cpu-optimizer-offload", "shard-grad-op" (ZeRO-2), "fsdp128xdp4", ...
StatedSharding stated_sharding(std::string_view words, Assumptions& assumptions);

/// "none", "selective", "full", "selective-op" (operators); absent where it was not published.
std::optional<Recomputation> stated_recompute(std::string_view words);

/// "1", "true", "yes", "0", ...; absent where it was not published.
std::optional<bool> stated_sequence_parallel(std::string_view words);

/// Letters and digits only, in lower case: "Llama3-8B" and "llama-3-8b" are one name.
std::string plain_name(std::string_view text);

}} // namespace bursar::scenarios
