#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// A waiting job, as passes take it from the queue and give it back.
struct WaitingJob {
    Rank rank{};
    JobId job{};
    ShapeId shape{};
    bool has_run{}; ///< it was stopped before
};

/// The stopped jobs that wait: per shape a pairing heap (Fredman, Sedgewick, Sleator, Tarjan
/// 1986) threaded through records from one pool. Insertion costs a comparison, removal of a head
/// O(log n) amortised. Any other job is found by two walks over all records.
class ResumedJobs {
  public:
    ResumedJobs() = default;
    BURSAR_HD ResumedJobs(ArenaCarver& carver, const PlanView& plan, std::uint32_t capacity)
        : num_shapes_{plan.num_shapes}, capacity_{capacity},
          records_{carver.take<Record>(capacity)},
          root_{carver.take<std::uint32_t>(plan.num_shapes)},
          count_{carver.take<std::uint32_t>(plan.num_shapes)} {}

    BURSAR_HD void clear() {
        for (ShapeId shape{0}; shape < num_shapes_; ++shape)
            count_[shape] = 0;
        num_jobs_ = num_used_ = 0;
        first_free_ = none;
    }

    /// The first job of a shape in order. Precondition: num_pending(shape) > 0.
    [[nodiscard]] BURSAR_HD WaitingJob head_of(ShapeId shape) const {
        const Record& head = records_[root_[shape]];
        return {head.rank, head.job, shape, true};
    }
    [[nodiscard]] BURSAR_HD std::uint32_t num_jobs() const { return num_jobs_; }
    [[nodiscard]] BURSAR_HD std::uint32_t num_pending(ShapeId shape) const { return count_[shape]; }
    [[nodiscard]] BURSAR_HD bool full() const {
        return first_free_ == none && num_used_ == capacity_;
    }

    /// Precondition: not full().
    BURSAR_HD void insert(const WaitingJob& job) {
        std::uint32_t record = first_free_;
        if (record != none)
            first_free_ = records_[record].sibling;
        else
            record = num_used_++;
        records_[record] = {job.rank, job.job, none, none};
        ++num_jobs_;
        std::uint32_t& root = root_[job.shape];
        root = count_[job.shape]++ == 0 ? record : meld(root, record);
    }

    /// Takes a shape's head out. Precondition: num_pending(shape) > 0.
    BURSAR_HD void take_head(ShapeId shape) {
        pop(shape);
        --num_jobs_;
        --count_[shape];
    }

    /// Takes out any job. Returns false if it is not here.
    BURSAR_HD bool take_out(const Candidate& job) {
        const std::uint32_t record =
            first_record([&](const Record& one) { return one.job == job.job; });
        if (record == none)
            return false;
        std::uint32_t& root = root_[job.shape];
        if (record == root) {
            pop(job.shape);
        } else {
            Record& before = records_[first_record(
                [&](const Record& one) { return one.child == record || one.sibling == record; })];
            (before.child == record ? before.child : before.sibling) = records_[record].sibling;
            const std::uint32_t rest = meld_all(records_[record].child);
            root = rest == none ? root : meld(root, rest);
            release(record);
        }
        --num_jobs_;
        --count_[job.shape];
        return true;
    }

  private:
    static constexpr std::uint32_t none = 0xffffffffU;
    struct alignas(32) Record {
        Rank rank{};
        JobId job{};
        std::uint32_t child{none};
        std::uint32_t sibling{none}; ///< in an unused record: the next unused one
    };

    /// Removes the root of a shape's heap.
    BURSAR_HD void pop(ShapeId shape) {
        const std::uint32_t record = root_[shape];
        root_[shape] = meld_all(records_[record].child);
        release(record);
    }
    BURSAR_HD void release(std::uint32_t record) {
        records_[record] = {{}, Candidate::no_job(), none, first_free_};
        first_free_ = record;
    }
    /// The first record in use that passes `test(record)`; none if there is none.
    template <class Test>
    [[nodiscard]] BURSAR_HD std::uint32_t first_record(const Test& test) const {
        for (std::uint32_t record = 0; record < num_used_; ++record)
            if (records_[record].job != Candidate::no_job() && test(records_[record]))
                return record;
        return none;
    }

    /// Joins two trees, whose roots have no siblings.
    BURSAR_HD std::uint32_t meld(std::uint32_t a, std::uint32_t b) {
        if (records_[b].rank < records_[a].rank) {
            const std::uint32_t other = a;
            a = b;
            b = other;
        }
        records_[b].sibling = records_[a].child;
        records_[a].child = b;
        return a;
    }

    /// Joins a list of siblings: in pairs from the left, then all from the right.
    BURSAR_HD std::uint32_t meld_all(std::uint32_t first) {
        std::uint32_t pairs = none; // the last pair first
        while (first != none) {
            const std::uint32_t next = records_[first].sibling;
            std::uint32_t pair = first;
            std::uint32_t rest = none;
            records_[first].sibling = none;
            if (next != none) {
                rest = records_[next].sibling;
                records_[next].sibling = none;
                pair = meld(first, next);
            }
            records_[pair].sibling = pairs;
            pairs = pair;
            first = rest;
        }
        std::uint32_t root = none;
        while (pairs != none) {
            const std::uint32_t next = records_[pairs].sibling;
            records_[pairs].sibling = none;
            root = root == none ? pairs : meld(root, pairs);
            pairs = next;
        }
        return root;
    }

    std::uint32_t num_shapes_{};
    std::uint32_t capacity_{};
    Record* records_{};
    std::uint32_t* root_{};  ///< by shape, where it has waiting jobs
    std::uint32_t* count_{}; ///< by shape: its waiting jobs
    std::uint32_t num_jobs_{};
    std::uint32_t num_used_{}; ///< records that were ever used
    std::uint32_t first_free_{none};
};

}} // namespace bursar::sim
