#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// The first flaw of a plan: later checks are skipped.
class PlanFlaw {
  public:
    [[nodiscard]] bool is_none() const { return !text_; }

    void require(bool holds, std::string_view what) {
        if (is_none() && !holds)
            text_ = what;
    }

    /// `length` entries.
    template <class T>
    void length(std::string_view name, const std::vector<T>& column, std::size_t length) {
        if (is_none() && column.size() != length)
            text_ = std::string{name} + " has " + std::to_string(column.size()) +
                    " entries in place of " + std::to_string(length);
    }
    /// No entries, or `length` of them.
    template <class T>
    void length_if_any(std::string_view name, const std::vector<T>& column, std::size_t length) {
        if (!column.empty())
            this->length(name, column, length);
    }

    /// Every entry satisfies `holds(entry)`, or `holds(entry, index)`.
    template <class T, class Holds>
    void each(std::string_view name, const std::vector<T>& column, const Holds& holds) {
        for (std::size_t i = 0; i < column.size() && is_none(); ++i) {
            bool is_right = false;
            if constexpr (requires { holds(column[i], i); })
                is_right = holds(column[i], i);
            else
                is_right = holds(column[i]);
            if (!is_right)
                text_ = std::string{name} + "[" + std::to_string(i) + "] is out of range";
        }
    }

    [[nodiscard]] std::optional<std::string> take() && { return std::move(text_); }

  private:
    std::optional<std::string> text_;
};

/// A valid span of time of a plan: some are sums of several, each inside the horizon.
[[nodiscard]] inline bool is_span(std::int64_t ms) {
    return ms >= 0 && ms <= 4 * horizon_ms;
}
[[nodiscard]] inline bool is_span(Duration span) {
    return is_span(span.count());
}
/// A valid instant of an event.
[[nodiscard]] inline bool is_instant(std::int64_t ms) {
    return ms >= 0 && ms < horizon_ms;
}

/// Bits of the pools of a plan. Precondition: it has 1 .. max_pools.
[[nodiscard]] inline std::uint64_t all_pools(const Plan& plan) {
    return ~std::uint64_t{0} >> (max_pools - plan.pools.size());
}

// The parts of check_plan; each expects that those before it found nothing.

void check_fleet(const Plan& plan, PlanFlaw& flaw);
void check_places(const Plan& plan, PlanFlaw& flaw);
void check_jobs(const Plan& plan, PlanFlaw& flaw);
void check_world(const Plan& plan, PlanFlaw& flaw);

}} // namespace bursar::sim
