#include "tools/bursar/model/memory_answer.hpp"

#include <fmt/format.h>

#include "models/training/check_layout.hpp"
#include "models/training/memory/memory_fit.hpp"

#include "tools/bursar/model/memory_parts.hpp"

namespace bursar::inline tools {
namespace {

AnswerTable remedies_table(const MemoryFit& fit) {
    AnswerTable table{
        "remedies",
        "What would fit",
        {{"change", "change", ""}, {"total_b", "memory", "B"}, {"headroom_b", "headroom", "B"}},
        {}};
    for (const MemoryRemedy& remedy : fit.remedies)
        table.rows.push_back({remedy.change,
                              remedy.use.total().count(),
                              (fit.capacity - remedy.use.total()).count()});
    return table;
}

Answer transformer_answer(const JobQuestion& asked) {
    const MemoryOverheads overheads = memory_overheads_of(asked.profile);
    const MemoryFit fit = what_fits(asked.job, asked.cluster, overheads);
    Answer answer;
    answer.sections = {memory_section(fit.use, fit.capacity), overheads_section(overheads)};
    answer.warnings = layout_warnings(asked.job, asked.cluster);
    if (!fit.fits()) {
        answer.warnings.push_back(describe(fit, asked.cluster));
        answer.tables.push_back(remedies_table(fit));
    }
    return answer;
}

/// Data parallel is the only way such a network is laid out.
Answer generic_answer(const JobQuestion& asked) {
    const TrainingJob& job = asked.job;
    const MemoryOverheads overheads = memory_overheads_of(asked.profile);
    const MemoryUse use = memory_use(*asked.generic,
                                     job.recipe,
                                     job.precision,
                                     job.layout.sharding,
                                     job.layout.data,
                                     job.layout.micro_batch,
                                     overheads);
    const ByteVolume capacity = usable_memory(asked.cluster.gpu, overheads);
    Answer answer;
    answer.sections = {memory_section(use, capacity), overheads_section(overheads)};
    if (use.total() > capacity)
        answer.warnings.push_back(
            fmt::format("{:.1f} GB too much; `bursar model batch` says what fits",
                        (use.total() - capacity).count() / bytes_per_gb));
    return answer;
}

} // namespace

Answer memory_answer(const MemoryQuestion& question) {
    const JobQuestion& asked = question.asked;
    Answer answer = asked.generic ? generic_answer(asked) : transformer_answer(asked);
    answer.command = "model memory";
    answer.sources = {
        "Korthikanti et al. 2022, Rajbhandari et al. 2020 (models/FORMULAS.md section 3)",
        asked.network_source};
    return answer;
}

} // namespace bursar::inline tools
