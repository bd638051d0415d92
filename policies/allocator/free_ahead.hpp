#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bursar { inline namespace policies {

/// The free slots of a pool from now on: steps, of which the last has no end. Times count from now,
/// in ms.
class FreeAhead {
  public:
    struct Step {
        std::int64_t begin_ms{};
        std::int64_t slots{};
    };

    explicit FreeAhead(std::int64_t slots) : steps_{{0, slots}} {}

    [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
    [[nodiscard]] std::int64_t now() const { return steps_.front().slots; }

    /// A step begins at that time from now on. Returns its place.
    std::size_t split(std::int64_t time_ms) {
        std::size_t at = 0;
        while (at + 1 < steps_.size() && steps_[at + 1].begin_ms <= time_ms)
            ++at;
        if (steps_[at].begin_ms < time_ms) {
            const Step rest{time_ms, steps_[at].slots};
            ++at;
            steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(at), rest);
        }
        return at;
    }

    /// Adds slots over [begin, end).
    void add(std::int64_t begin_ms, std::int64_t end_ms, std::int64_t slots) {
        const std::size_t first = split(begin_ms);
        const std::size_t last = split(end_ms);
        for (std::size_t at = first; at < last; ++at)
            steps_[at].slots += slots;
    }

  private:
    std::vector<Step> steps_;
};

}} // namespace bursar::policies
