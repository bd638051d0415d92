#include "models/training/search/batch.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "models/training/job/check_layout.hpp"
#include "models/training/memory/memory_fit.hpp"

#include "reports/document/document.hpp"

#include "tools/command_line/messages.hpp"
#include "tools/model/job_options.hpp"
#include "tools/model/memory_parts.hpp"
#include "tools/model/subcommand.hpp"

namespace bursar { inline namespace tools {
namespace {

struct BatchOptions {
    JobOptions job;
    BatchRounding rounding{BatchRounding::none};
};

/// In the order of BatchRounding.
constexpr std::array<std::string_view, 3> rounding_names{"none", "multiple-of-8", "power-of-two"};

OptionTable<BatchOptions> batch_options() {
    using T = BatchOptions;
    return option_table<T>(
        {{&T::job, job_options()},
         {{"--round", &T::rounding, choice(rounding_names)}, "how the batch is rounded down"}});
}

/// The micro-batch of `asked` is ignored.
LargestBatch
largest_of(const JobQuestion& asked, BatchRounding rounding, const MemoryOverheads& overheads) {
    const TrainingJob& job = asked.job;
    const ByteVolume capacity = usable_memory(asked.cluster.gpu, overheads);
    if (asked.generic)
        return largest_batch(*asked.generic,
                             job.recipe,
                             job.precision,
                             job.layout.sharding,
                             job.layout.data,
                             capacity,
                             rounding,
                             overheads);
    check_layout(job, asked.cluster);
    return largest_micro_batch(job, capacity, rounding, overheads);
}

/// The largest batch that fits, and the memory it takes. Throws ModelError and UnknownFact as
/// largest_micro_batch and largest_batch do.
Document batch_answer(const BatchOptions& options) {
    const JobQuestion asked = options.job.question();
    const MemoryOverheads& overheads = asked.overheads;
    const LargestBatch found = largest_of(asked, options.rounding, overheads);
    Layout layout = asked.job.layout;
    layout.micro_batch = found.batch;
    Facts batch{"batch", "Largest batch that fits", {}};
    batch.values = {
        {"micro_batch", "per GPU and pass", found.batch, "", "samples of one replica"},
        {"exact", "before rounding", found.exact, "", ""},
        {"global_batch",
         "per step",
         layout.global_batch(),
         "",
         fmt::format("{}, {}",
                     counted(static_cast<std::uint64_t>(layout.micro_batches), "pass"),
                     counted(static_cast<std::uint64_t>(layout.data), "replica"))},
        {"fixed_b", "without any sample", found.fixed.count(), "B", "no batch changes it"},
        {"per_sample_b",
         "of one more sample",
         found.per_unit.count(),
         "B",
         "models/FORMULAS.md section 3.4"}};
    Document answer;
    answer.command = "model batch";
    answer.blocks = {batch,
                     memory_section(found.use, found.capacity, memory_error(asked.job, overheads)),
                     overheads_section(overheads)};
    answer.sources = {"models/FORMULAS.md section 3.4: memory is affine in the batch; checked with "
                      "the full formula",
                      asked.network_source};
    answer.is_refusal = found.batch == 0;
    if (answer.is_refusal)
        answer.headline =
            fmt::format("not even one sample fits: {} too much; the memory shown is with one",
                        gigabytes(found.use.total() - found.capacity));
    return answer;
}

} // namespace

void add_batch(Command model) {
    add_answer(model,
               "batch",
               "the largest micro-batch that fits the GPU's memory",
               batch_options(),
               batch_answer);
}

}} // namespace bursar::tools
