#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/order/candidate.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// What a PromiseQueue knows of a job that has come back and waits.
enum class PromiseStage : std::uint8_t {
    waiting, ///< it has no reservation yet
    promised,
    hopeless ///< it fits nothing that is up
};

/// The jobs that have come back to a queue whose keys move, in order, each with the key that it
/// waits with. They are as many as nodes and jobs have failed of late, so that everything is a walk
/// over them.
class ReturnedJobs {
  public:
    struct Row {
        std::uint64_t key{};
        JobId job{};
        PromiseStage stage{};
        [[nodiscard]] BURSAR_HD bool is_before(std::uint64_t other_key, JobId other) const {
            return key != other_key ? key < other_key : job < other;
        }
    };

    ReturnedJobs() = default;
    BURSAR_HD ReturnedJobs(ArenaCarver& carver, std::uint32_t capacity)
        : rows_{carver.take<Row>(capacity)}, capacity_{capacity} {}

    BURSAR_HD void clear() { num_ = num_waiting_ = 0; }

    [[nodiscard]] BURSAR_HD std::uint32_t num_waiting() const { return num_waiting_; }

    /// A job comes back. Precondition: fewer have than there is capacity for.
    BURSAR_HD void insert(std::uint64_t key, JobId job) {
        assert(num_ < capacity_);
        std::uint32_t at = num_++;
        for (; at > 0 && !rows_[at - 1].is_before(key, job); --at)
            rows_[at] = rows_[at - 1];
        rows_[at] = {key, job, PromiseStage::waiting};
        ++num_waiting_;
    }
    /// Takes a job out that has a reservation; whether it is one of these.
    BURSAR_HD bool erase_promised(JobId job) {
        std::uint32_t at = place_of(job);
        if (at == num_)
            return false;
        assert(rows_[at].stage == PromiseStage::promised);
        for (--num_; at < num_; ++at)
            rows_[at] = rows_[at + 1];
        return true;
    }
    /// Whether a job is one of these, and at that stage from now on.
    BURSAR_HD bool move_to(PromiseStage stage, JobId job) {
        const std::uint32_t at = place_of(job);
        if (at == num_)
            return false;
        num_waiting_ -= rows_[at].stage == PromiseStage::waiting ? 1 : 0;
        num_waiting_ += stage == PromiseStage::waiting ? 1 : 0;
        rows_[at].stage = stage;
        return true;
    }

    /// The first at that stage from a row on; num_rows() if there is none.
    [[nodiscard]] BURSAR_HD std::uint32_t first_at(PromiseStage stage, std::uint32_t row) const {
        while (row < num_ && rows_[row].stage != stage)
            ++row;
        return row;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t num_rows() const { return num_; }
    [[nodiscard]] BURSAR_HD const Row& operator[](std::uint32_t row) const { return rows_[row]; }

  private:
    /// num_: it is none of these.
    [[nodiscard]] BURSAR_HD std::uint32_t place_of(JobId job) const {
        std::uint32_t at = 0;
        while (at < num_ && rows_[at].job != job)
            ++at;
        return at;
    }

    Row* rows_{};
    std::uint32_t capacity_{};
    std::uint32_t num_{};
    std::uint32_t num_waiting_{};
};

}} // namespace bursar::sim
