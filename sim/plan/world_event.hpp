#pragma once

#include <cassert>
#include <cstdint>
#include <type_traits>

#include "models/units/host_device.hpp"

#include "sim/plan/ids.hpp"
#include "sim/plan/stop_cause.hpp"

namespace bursar { inline namespace sim {

enum class WorldEventKind : std::uint8_t {
    stop_job,
    node_offline,
    node_online,
    supply,
    min_nodes,
    pool_order,
    node_closes,
    launches,
    pool_admits,
    shape_admits,
    run_closes,
};

// The fields of an event, one struct for each kind.

/// A job is stopped, if it is at work.
struct StopJob {
    static constexpr WorldEventKind kind = WorldEventKind::stop_job;
    JobId job{};
    StopCause cause{StopCause::node_failed}; ///< not preempted
    std::int64_t hold_ms{}; ///< abrupt causes: its GPUs stay held until the stop is noticed
};
/// A node takes no more work, and attempts on it are stopped.
struct NodeOffline {
    static constexpr WorldEventKind kind = WorldEventKind::node_offline;
    PoolId pool{};
    std::uint32_t node{};
    StopCause cause{StopCause::node_failed}; ///< as of StopJob, with `hold_ms`
    std::int64_t hold_ms{};
};
/// A node takes work again, if it went offline for that cause.
struct NodeOnline {
    static constexpr WorldEventKind kind = WorldEventKind::node_online;
    PoolId pool{};
    std::uint32_t node{};
    StopCause cause{StopCause::node_failed};
};
/// A node takes no more work; attempts on it continue.
struct NodeCloses {
    static constexpr WorldEventKind kind = WorldEventKind::node_closes;
    PoolId pool{};
    std::uint32_t node{};
};
/// The provider offers another number of nodes of a pool, and takes back those beyond it after the
/// notice.
struct SupplyChange {
    static constexpr WorldEventKind kind = WorldEventKind::supply;
    PoolId pool{};
    std::uint32_t num_nodes{};
    std::int64_t notice_ms{};
};
/// The least number of nodes of a pool changes (PlanProvisioning::min_nodes).
struct MinNodesChange {
    static constexpr WorldEventKind kind = WorldEventKind::min_nodes;
    PoolId pool{};
    std::uint32_t num_nodes{};
};
/// The order at entry `order` of Plan::pool_orders replaces the one at entry `preference` of
/// Plan::pool_preference: the broker tries pools in it from now on.
struct OrderChange {
    static constexpr WorldEventKind kind = WorldEventKind::pool_order;
    std::uint32_t preference{};
    std::uint32_t order{};
};
/// Launches of a pool fail from now on, or succeed again.
struct LaunchesChange {
    static constexpr WorldEventKind kind = WorldEventKind::launches;
    PoolId pool{};
    bool succeed{};
};
/// A pool closes for a cause, or that cause ends: it is open while no cause closes it. No job
/// starts on a closed pool; its nodes, where they come and go, end once they are free.
struct PoolAdmission {
    static constexpr WorldEventKind kind = WorldEventKind::pool_admits;
    PoolId pool{};
    bool opens{};
    StopCause cause{StopCause::budget};
};
/// The same of the jobs of a shape: none of them starts while a cause closes it.
struct ShapeAdmission {
    static constexpr WorldEventKind kind = WorldEventKind::shape_admits;
    ShapeId shape{};
    bool opens{};
    StopCause cause{StopCause::budget};
};
/// The run ends as soon as no job holds anything.
struct RunCloses {
    static constexpr WorldEventKind kind = WorldEventKind::run_closes;
};

/// A change of the world that no policy decides. It comes after the ends of its instant, so that
/// work that ends then has ended, and before the arrivals.
///
/// It is constructed from the fields of its kind and read as them: `as<NodeOffline>().node`. An
/// attempt that was stopped already, or has ended its work, is not stopped again. Under `capacity:
/// count` an offline node takes GPUs from its pool, and the youngest attempts leave.
class WorldEvent {
  public:
    std::int64_t time_ms{};

    WorldEvent() = default;
    template <class Fields>
        requires requires { Fields::kind; }
    BURSAR_HD WorldEvent(std::int64_t at_ms, const Fields& fields)
        : time_ms{at_ms}, kind_{Fields::kind} {
        each_field(*this, fields, [](auto& place, const auto& field) {
            place = static_cast<std::remove_reference_t<decltype(place)>>(field);
        });
    }

    [[nodiscard]] BURSAR_HD WorldEventKind kind() const { return kind_; }
    template <class Fields>
    [[nodiscard]] BURSAR_HD bool is() const {
        return kind_ == Fields::kind;
    }
    /// Precondition: it is of that kind.
    template <class Fields>
    [[nodiscard]] BURSAR_HD Fields as() const {
        assert(is<Fields>());
        Fields fields;
        each_field(*this, fields, [](const auto& place, auto& field) {
            field = static_cast<std::remove_reference_t<decltype(field)>>(place);
        });
        return fields;
    }

    /// For files, order and checks of any event: 0 where its kind has no such field.
    [[nodiscard]] BURSAR_HD PoolId pool() const { return pool_; }
    [[nodiscard]] BURSAR_HD std::uint32_t number() const { return number_; }
    [[nodiscard]] BURSAR_HD std::int64_t span_ms() const { return span_ms_; }
    [[nodiscard]] BURSAR_HD StopCause cause() const { return cause_; }

    /// Calls `visit(name, place)` for each stored place.
    template <class Self, class Visit>
    static void each_place(Self& self, const Visit& visit) {
        visit("time_ms", self.time_ms);
        visit("span_ms", self.span_ms_);
        visit("subject", self.subject_);
        visit("number", self.number_);
        visit("pool", self.pool_);
        visit("kind", self.kind_);
        visit("cause", self.cause_);
    }

  private:
    /// Where the fields of all kinds are stored. A kind has at most one field of each place; places
    /// that it has no field for stay 0.
    template <class Event, class Fields, class Copy>
    BURSAR_HD static void each_field(Event& event, Fields& fields, const Copy& copy) {
        if constexpr (requires { fields.hold_ms; })
            copy(event.span_ms_, fields.hold_ms);
        if constexpr (requires { fields.notice_ms; })
            copy(event.span_ms_, fields.notice_ms);
        if constexpr (requires { fields.job; })
            copy(event.subject_, fields.job);
        if constexpr (requires { fields.shape; })
            copy(event.subject_, fields.shape);
        if constexpr (requires { fields.preference; })
            copy(event.subject_, fields.preference);
        if constexpr (requires { fields.node; })
            copy(event.number_, fields.node);
        if constexpr (requires { fields.num_nodes; })
            copy(event.number_, fields.num_nodes);
        if constexpr (requires { fields.order; })
            copy(event.number_, fields.order);
        if constexpr (requires { fields.succeed; })
            copy(event.number_, fields.succeed);
        if constexpr (requires { fields.opens; })
            copy(event.number_, fields.opens);
        if constexpr (requires { fields.pool; })
            copy(event.pool_, fields.pool);
        if constexpr (requires { fields.cause; })
            copy(event.cause_, fields.cause);
    }

    std::int64_t span_ms_{};
    std::uint32_t subject_{};
    std::uint32_t number_{};
    StoredPoolId pool_{};
    WorldEventKind kind_{};
    StopCause cause_{};
};

}} // namespace bursar::sim
