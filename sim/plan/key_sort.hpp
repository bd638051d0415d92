#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// The jobs of a plan sorted by (key, job), in time that goes by their number alone: dealt out by
/// one digit of their keys after the other, the lowest first, each time in the order that they
/// have. Bits in which no keys differ are left out.
///
/// What is dealt out are integers: a part of the key, and the job below it. Where one part holds
/// all that differs, as with instants of a million jobs, these take the place of the keys, which
/// can be told from them; else keys are kept and read part by part. Memory: that of the keys, and 8
/// bytes per job while they are sorted; for longer keys 8 more.
class KeySort {
  public:
    /// key: one per job, fewer than 2^32 - 1.
    explicit KeySort(std::vector<std::uint64_t> key);

    /// Calls `act(job, key)` for each job in order.
    template <class Act>
    void for_each(Act act) const {
        for (std::size_t at = 0; at < num_jobs_; ++at) {
            const JobId job = job_of(items_[at]);
            act(job, is_packed_ ? key_of(items_[at] >> job_bits_) : key_[job]);
        }
    }

  private:
    /// The key of what comes last, such as jobs without a deadline: far from all others, so that it
    /// counts as one more than the largest of them.
    static constexpr std::uint64_t last_key = ~std::uint64_t{0};

    unsigned find_what_differs(std::optional<std::uint64_t> but_for = std::nullopt);
    [[nodiscard]] std::uint64_t key_of(std::uint64_t part) const {
        return part == part_of_last_ ? last_key : common_ | part << shift_;
    }
    void deal_out(unsigned num_bits);
    [[nodiscard]] JobId job_of(std::uint64_t item) const {
        return JobId{static_cast<std::uint32_t>(item & ((std::uint64_t{1} << job_bits_) - 1))};
    }

    std::size_t num_jobs_;
    unsigned job_bits_;
    std::vector<std::uint64_t> key_;   ///< by job; empty where items hold all
    std::vector<std::uint64_t> items_; ///< a part of the key, and the job in the lowest bits
    bool is_packed_{};                 ///< items hold all of the key that differs
    bool is_sorted_{true};             ///< as submitted
    std::uint64_t common_{};           ///< of all keys, outside of the bits in which they differ
    std::uint64_t part_of_last_{};     ///< in packed items
    unsigned shift_{};                 ///< the lowest bit in which keys differ
};

}} // namespace bursar::sim
