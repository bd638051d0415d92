#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/plan/plan.hpp"

#include "tests/sim/engine/nodes/naive_nodes.hpp"

namespace bursar::test {

/// Conservative backfilling on nodes in full, in submit order, by lists of the GPUs that each job
/// holds over time. For every instant at which a stay ends, every node is checked at every instant
/// of the new job's stay. If GPUs are shared, jobs keep their planned GPUs. Run times are above 0
/// and at most their estimates.
class NaivePromises {
  public:
    struct Start {
        std::int64_t at_ms{};
        std::uint32_t pool{};
        bool operator==(const Start&) const = default;
    };

    NaivePromises(const Plan& plan, const PlacementSetting& setting)
        : plan_{plan}, setting_{setting}, starts_(plan.num_jobs()) {
        for (const JobShape& shape : plan.shapes)
            shares_gpus_ = shares_gpus_ || (shape.gpus > 0 && shape.gpu_slots < slots_per_gpu);
    }

    std::vector<Start> run() {
        std::uint32_t next = 0;
        while (next < plan_.num_jobs() || !stays_.empty()) {
            now_ = next < plan_.num_jobs() ? plan_.submit_ms[next] : stays_.front().end_ms;
            for (const Stay& stay : stays_)
                now_ = std::min(now_, stay.runs ? stay.true_end_ms : stay.begin_ms);
            const bool early = end_due();
            if (early)
                move_up();
            for (; next < plan_.num_jobs() && plan_.submit_ms[next] == now_; ++next)
                stays_.push_back(first_stay(next));
            for (Stay& stay : stays_) {
                if (!stay.runs && stay.begin_ms == now_)
                    start(stay);
            }
        }
        return starts_;
    }

  private:
    /// A piece of a gang, with its GPUs.
    struct Part {
        std::uint32_t node{};
        PieceDemand demand;
        std::vector<std::size_t> gpus;
    };
    struct Stay {
        std::uint32_t job{};
        std::uint32_t pool{};
        std::int64_t begin_ms{};
        std::int64_t end_ms{}; ///< as believed
        std::int64_t true_end_ms{};
        bool runs{};
        std::vector<Part> parts;
    };

    std::int64_t believed_ms(std::uint32_t job) const {
        return plan_.estimate_ms.empty() ? plan_.work_ms[job] : plan_.estimate_ms[job];
    }

    /// Whether a job ended before its believed end.
    bool end_due() {
        bool early = false;
        std::erase_if(stays_, [&](const Stay& stay) {
            const bool ends = stay.runs && stay.true_end_ms == now_;
            early = early || (ends && stay.end_ms > now_);
            return ends;
        });
        return early;
    }
    void start(Stay& stay) {
        stay.runs = true;
        stay.true_end_ms = now_ + plan_.work_ms[stay.job];
        starts_[stay.job] = {now_, stay.pool};
    }
    /// Moves each promise as early as the others permit, in the order of promised starts.
    void move_up() {
        std::vector<std::pair<std::int64_t, std::uint32_t>> promised;
        for (const Stay& stay : stays_) {
            if (!stay.runs)
                promised.emplace_back(stay.begin_ms, stay.job);
        }
        std::ranges::sort(promised);
        for (const auto& [begin, job] : promised) {
            std::erase_if(stays_, [&](const Stay& stay) { return stay.job == job; });
            stays_.push_back(first_stay(job));
        }
        std::ranges::sort(stays_, {}, &Stay::job);
    }

    Stay first_stay(std::uint32_t job) const {
        std::optional<Stay> best;
        for (const std::uint16_t pool : plan_.pool_preference) {
            if ((plan_.shapes[plan_.shape[job]].permitted_pools >> pool & 1U) == 0)
                continue;
            auto found = first_stay_on(job, pool);
            if (found && (!best || found->begin_ms < best->begin_ms))
                best = std::move(found);
        }
        return *best;
    }
    std::optional<Stay> first_stay_on(std::uint32_t job, std::uint32_t pool) const {
        std::set<std::int64_t> instants{now_};
        for (const Stay& stay : stays_)
            instants.insert(stay.end_ms);
        for (const std::int64_t begin : instants) {
            const std::int64_t end = begin + believed_ms(job);
            if (auto parts = place(job, pool, begin, end))
                return Stay{job, pool, begin, end, end, false, std::move(*parts)};
        }
        return std::nullopt;
    }

    /// The nodes of a job on what is free during its whole stay.
    std::optional<std::vector<Part>>
    place(std::uint32_t job, std::uint32_t pool, std::int64_t begin, std::int64_t end) const {
        NaiveNodes nodes{plan_, setting_};
        take_others(nodes, pool, begin, end);
        JobShape shape = plan_.shapes[plan_.shape[job]];
        shape.permitted_pools = std::uint64_t{1} << pool;
        const auto placed = nodes.place(shape, JobId{job});
        if (!placed)
            return std::nullopt;
        std::vector<Part> parts;
        for (const NaivePiece& piece : placed->pieces) {
            Part part{piece.node, piece.demand, {}};
            const auto& is_held = nodes.nodes[pool][piece.node].is_held;
            for (std::size_t gpu = 0; gpu < is_held.size(); ++gpu) {
                if (piece.demand.shares_gpu() ? gpu == piece.gpu : is_held[gpu])
                    part.gpus.push_back(gpu);
            }
            parts.push_back(part);
        }
        return parts;
    }
    /// Limits every node to the least free at any time from `begin` to `end`.
    void
    take_others(NaiveNodes& nodes, std::uint32_t pool, std::int64_t begin, std::int64_t end) const {
        std::set<std::int64_t> instants{begin};
        for (const Stay& stay : stays_) {
            if (stay.begin_ms > begin && stay.begin_ms < end)
                instants.insert(stay.begin_ms);
        }
        const auto empty = nodes.nodes[pool];
        for (const std::int64_t at : instants) {
            auto left = empty;
            for (const Stay& stay : stays_) {
                if (stay.pool == pool && (stay.runs || stay.begin_ms <= at) && at < stay.end_ms)
                    take(left, stay);
            }
            for (std::size_t n = 0; n < left.size(); ++n) {
                NaiveNodes::Node& least = nodes.nodes[pool][n];
                if (!shares_gpus_) // which GPUs they are makes no difference
                    std::ranges::sort(left[n].gpus);
                for (std::size_t gpu = 0; gpu < least.gpus.size(); ++gpu)
                    least.gpus[gpu] = std::min(least.gpus[gpu], left[n].gpus[gpu]);
                least.cpu_milli = std::min(least.cpu_milli, left[n].cpu_milli);
                least.memory_mib = std::min(least.memory_mib, left[n].memory_mib);
            }
        }
    }
    void take(std::vector<NaiveNodes::Node>& left, const Stay& stay) const {
        for (const Part& part : stay.parts) {
            NaiveNodes::Node& node = left[part.node];
            for (std::size_t i = 0; i < part.gpus.size(); ++i) {
                // If GPUs are not shared: any free ones.
                const std::size_t gpu =
                    shares_gpus_
                        ? part.gpus[i]
                        : static_cast<std::size_t>(std::ranges::find(node.gpus, slots_per_gpu) -
                                                   node.gpus.begin());
                node.gpus[gpu] -= part.demand.gpu_slots;
            }
            if (plan_.pools[stay.pool].cpu_milli != 0)
                node.cpu_milli -= part.demand.cpu_milli;
            if (plan_.pools[stay.pool].memory_mib != 0)
                node.memory_mib -= part.demand.memory_mib;
        }
    }

    const Plan& plan_;
    PlacementSetting setting_;
    bool shares_gpus_{};
    std::int64_t now_{};
    std::vector<Stay> stays_; ///< running and promised jobs
    std::vector<Start> starts_;
};

} // namespace bursar::test
