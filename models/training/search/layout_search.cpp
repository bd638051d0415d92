#include "models/training/search/layout_search.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace bursar::inline models {
namespace {

/// Faster first, then smaller; then by degrees, so that equal searches rank equally.
bool better(const RankedLayout& a, const RankedLayout& b) {
    const auto key = [](const RankedLayout& ranked) {
        const Layout& layout = ranked.layout;
        return std::tuple{ranked.step.count(),
                          ranked.memory.count(),
                          layout.tensor,
                          layout.pipeline,
                          layout.context,
                          layout.expert,
                          layout.chunks,
                          layout.micro_batch,
                          layout.sequence_parallel,
                          layout.sharding,
                          layout.recompute,
                          ranked.precision};
    };
    return key(a) < key(b);
}

/// Keeps, of layouts ranked fastest first, those that need less memory than every faster one.
std::vector<RankedLayout> front(const std::vector<RankedLayout>& ranked) {
    std::vector<RankedLayout> kept;
    for (const RankedLayout& layout : ranked) {
        if (kept.empty() || layout.memory < kept.back().memory)
            kept.push_back(layout);
    }
    return kept;
}

} // namespace

LayoutSearch search_layouts(const TrainingJob& job,
                            const Cluster& cluster,
                            const StackProfile& profile,
                            const LayoutSpace& space,
                            std::size_t keep,
                            const MemoryOverheads& overheads) {
    assert(keep >= 1);
    LayoutSearch search;
    const ByteVolume capacity = usable_memory(cluster.gpu, overheads);
    std::vector<RankedLayout> timed;
    search.excluded_by_rule = for_each_layout(job, cluster, space, [&](const TrainingJob& laid) {
        const ByteVolume memory = memory_use(laid, overheads).total();
        search.min_memory = std::min(search.min_memory.value_or(memory), memory);
        if (memory > capacity) {
            ++search.excluded_by_memory;
            return;
        }
        timed.push_back(
            {laid.layout, laid.precision, step_time(laid, cluster, profile).total(), memory});
    });
    search.evaluated = static_cast<std::int64_t>(timed.size());
    std::sort(timed.begin(), timed.end(), better);
    search.pareto = front(timed);
    timed.resize(std::min(keep, timed.size()));
    search.best = std::move(timed);
    return search;
}

} // namespace bursar::inline models
