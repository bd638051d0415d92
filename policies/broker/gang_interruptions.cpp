#include "policies/broker/gang_interruptions.hpp"

#include <algorithm>

#include "models/reliability/gang_interruptions.hpp"

namespace bursar::inline policies {
namespace {

/// Adds up what happens to one pool, event by event.
class Interruptions {
  public:
    Interruptions(std::uint32_t all, std::uint32_t nodes)
        : all_{all}, nodes_{nodes}, supply_{all} {}

    void pass_to(std::int64_t time_ms) {
        if (supply_ >= nodes_)
            held_ms_ += time_ms - since_ms_;
        since_ms_ = time_ms;
    }
    void supply(std::uint32_t supply, std::int64_t notice_ms) {
        if (supply < supply_ && supply_ >= nodes_ && since_ms_ > 0)
            add(chance_to_be_hit(supply_, supply, nodes_), notice_ms);
        supply_ = supply;
    }
    void fail(std::uint32_t together) {
        add(chance_to_be_hit(all_, std::int64_t{all_} - together, nodes_), 0);
    }

    [[nodiscard]] GangInterruptions sum() const {
        if (hits_ == 0 || held_ms_ == 0)
            return {};
        return {Seconds{static_cast<double>(held_ms_) / 1000 / hits_}, Duration{notice_ms_}};
    }

  private:
    void add(double hits, std::int64_t notice_ms) {
        notice_ms_ = hits_ == 0 ? notice_ms : std::min(notice_ms_, notice_ms);
        hits_ += hits;
    }

    std::uint32_t all_{};
    std::uint32_t nodes_{};
    std::uint32_t supply_{}; ///< now
    std::int64_t since_ms_{};
    std::int64_t held_ms_{}; ///< that a gang could have been there
    std::int64_t notice_ms_{};
    double hits_{};
};

} // namespace

GangInterruptions gang_interruptions(const Plan& plan, std::size_t pool, std::uint32_t nodes) {
    Interruptions own{plan.pools[pool].num_nodes, nodes};
    for (std::size_t i = 0; i < plan.world.size(); ++i) {
        const WorldEvent& event = plan.world[i];
        own.pass_to(event.time_ms);
        if (event.pool != pool)
            continue;
        if (event.kind == WorldEventKind::supply)
            own.supply(event.node, event.hold_ms);
        if (event.kind != WorldEventKind::node_offline)
            continue;
        std::uint32_t together = 1;
        const auto goes_too = [&](const WorldEvent& next) {
            return next.time_ms == event.time_ms && next.kind == event.kind &&
                   next.pool == event.pool;
        };
        for (; i + 1 < plan.world.size() && goes_too(plan.world[i + 1]); ++i)
            ++together;
        own.fail(together);
    }
    if (plan.until && !plan.world.empty() && plan.world.back().time_ms < plan.until->count())
        own.pass_to(plan.until->count());
    return own.sum();
}

} // namespace bursar::inline policies
