#include "sim/plan/job_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// The jobs of a plan sorted by (key, job) with a stable radix sort: digit by digit of the keys,
/// the lowest first. Bits in which no keys differ are skipped.
///
/// The sorted items are integers: a part of the key, with the job in the lowest bits. If one part
/// holds all bits that differ, as with instants of a million jobs, items replace the keys, which
/// can be computed from them. Otherwise keys are kept and read part by part. Memory: that of the
/// keys, and 8 bytes per job during the sort; for longer keys 8 more.
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
    /// The key of jobs that come last, such as those without a deadline. It is far from all other
    /// keys, so it is treated as the largest of them plus 1.
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
    bool is_packed_{};                 ///< items hold all bits of the key that differ
    bool is_sorted_{true};             ///< as submitted
    std::uint64_t common_{};       ///< bits that all keys share, outside those in which they differ
    std::uint64_t part_of_last_{}; ///< in packed items
    unsigned shift_{};             ///< the lowest bit in which keys differ
};

namespace {

constexpr unsigned max_digit_bits = 11; ///< writing to more destinations in turn is slow

/// How often each value of a digit occurs; then, the place of the next item with that value.
using Places = std::array<std::uint32_t, std::size_t{1} << max_digit_bits>;

/// The lowest `num` bits. num: less than 64.
std::uint64_t low_bits(unsigned num) {
    return (std::uint64_t{1} << num) - 1;
}

} // namespace

KeySort::KeySort(std::vector<std::uint64_t> key)
    : num_jobs_{key.size()}, job_bits_{static_cast<unsigned>(std::bit_width(key.size()))},
      key_{std::move(key)} {
    const unsigned short_width = find_what_differs(last_key);
    is_packed_ = short_width + 1 + job_bits_ <= 64;
    if (is_packed_) {
        part_of_last_ = std::uint64_t{1} << short_width;
        items_ = std::move(key_);
        for (std::size_t job = 0; job < num_jobs_; ++job) {
            const std::uint64_t own = items_[job];
            const std::uint64_t part = own == last_key ? part_of_last_ : (own - common_) >> shift_;
            items_[job] = part << job_bits_ | job;
        }
        deal_out(short_width + 1);
        return;
    }
    const unsigned width = find_what_differs();
    items_.resize(num_jobs_);
    std::iota(items_.begin(), items_.end(), std::uint64_t{0});
    for (unsigned done = 0; done < width && !is_sorted_;) {
        const unsigned part_bits = std::min(64 - job_bits_, width - done);
        for (std::uint64_t& item : items_) {
            const JobId job = job_of(item);
            item = (key_[job] >> (shift_ + done) & low_bits(part_bits)) << job_bits_ | job;
        }
        deal_out(part_bits);
        done += part_bits;
    }
}

/// The number of bits from the lowest to the highest in which keys differ, ignoring keys equal to
/// `but_for`.
unsigned KeySort::find_what_differs(std::optional<std::uint64_t> but_for) {
    std::uint64_t any = 0;
    std::uint64_t all = ~std::uint64_t{0};
    std::uint64_t last = 0;
    for (const std::uint64_t own : key_) {
        is_sorted_ = is_sorted_ && own >= last;
        last = own;
        if (own == but_for)
            continue;
        any |= own;
        all &= own;
    }
    const std::uint64_t differing = any < all ? 0 : any ^ all; // any < all: there are no keys
    if (differing == 0) {
        common_ = all;
        return 0;
    }
    shift_ = static_cast<unsigned>(std::countr_zero(differing));
    const auto end = static_cast<unsigned>(std::bit_width(differing));
    common_ = (end == 64 ? 0 : all >> end << end) | (all & low_bits(shift_));
    return end - shift_;
}

/// Sorts the items by the `num_bits` bits above their jobs, if need be.
void KeySort::deal_out(unsigned num_bits) {
    if (is_sorted_ || num_bits == 0)
        return;
    const unsigned num_digits = (num_bits + max_digit_bits - 1) / max_digit_bits;
    const unsigned digit_bits = (num_bits + num_digits - 1) / num_digits;
    const std::uint64_t mask = low_bits(digit_bits);
    std::vector<Places> next(num_digits);
    for (const std::uint64_t item : items_) {
        for (unsigned digit = 0; digit < num_digits; ++digit)
            ++next[digit][item >> (job_bits_ + digit * digit_bits) & mask];
    }
    std::vector<std::uint64_t> dealt(num_jobs_);
    for (unsigned digit = 0; digit < num_digits; ++digit) {
        Places& places = next[digit];
        std::exclusive_scan(places.begin(), places.end(), places.begin(), 0U);
        for (const std::uint64_t item : items_)
            dealt[places[item >> (job_bits_ + digit * digit_bits) & mask]++] = item;
        items_.swap(dealt);
    }
}

JobOrder order_by_keys(const Plan& plan, std::vector<std::uint64_t> key, OrderLayout layout) {
    const KeySort sorted{std::move(key)};
    JobOrder order;
    order.position.resize(plan.num_jobs());
    order.job_at.resize(plan.num_jobs());
    if (layout == OrderLayout::one_line) {
        order.shape_at.resize(plan.num_jobs());
        sorted.for_each([&, at = 0U](JobId job, std::uint64_t) mutable {
            order.position[job] = at;
            order.shape_at[at] = plan.shape[job];
            order.job_at[at++] = job;
        });
        return order;
    }
    order.key.resize(plan.num_jobs());
    order.shape_begin.assign(plan.shapes.size() + 1, 0);
    for (const std::uint16_t shape : plan.shape)
        ++order.shape_begin[shape + 1U];
    std::partial_sum(order.shape_begin.begin(), order.shape_begin.end(), order.shape_begin.begin());
    std::vector<std::uint32_t> next{order.shape_begin.begin(), order.shape_begin.end() - 1};
    sorted.for_each([&](JobId job, std::uint64_t own) {
        const std::uint32_t at = next[plan.shape[job]]++;
        order.position[job] = at;
        order.job_at[at] = job;
        order.key[at] = own;
    });
    return order;
}

}} // namespace bursar::sim
