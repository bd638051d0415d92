// Parts of a run with one mistake each. This must not compile: wrong_parts_test.py searches the
// compiler's output for an error with all the words of each line `says`.

#include "sim/engine/capacity/count_capacity.hpp"
#include "sim/engine/passes/plain_pass.hpp"
#include "sim/engine/protocol.hpp"
#include "sim/engine/queues/arrival_cursor.hpp"
#include "sim/record/recorder.hpp"

#include "policies/placement/registry.hpp"
#include "policies/queue/registry.hpp"

namespace bursar {

template <class P = PlainPass,
          class Q = ArrivalCursor,
          class C = CountCapacity,
          class R = RunRecorder>
inline constexpr bool go_together = RunParts<P, Q, C, R>::go_together;

static_assert(go_together<>);

// says: A pass | MisspeltHook | defines_began | has.began
struct MisspeltHook : PlainPass {
    static constexpr PassMembers has{.began = true};
    template <class Engine>
    void begun(Engine&, const Attempt&, std::uint32_t) {}
};
static_assert(go_together<MisspeltHook>);

// says: A pass | OtherArguments | defines_began | has.began
struct OtherArguments : PlainPass {
    static constexpr PassMembers has{.began = true};
    template <class Engine>
    void began(Engine&, const Attempt&) {}
};
static_assert(go_together<OtherArguments>);

// says: A pass | UnsaidHook | defines_wake_ms | has.wake_ms
struct UnsaidHook : PlainPass {
    [[nodiscard]] std::int64_t wake_ms() const { return 0; }
};
static_assert(go_together<UnsaidHook>);

// says: PassMembers | wakes
struct UnknownHook : PlainPass {
    static constexpr PassMembers has{.wakes = true};
};

// says: A queue | HalfOfTwo | defines_released | has.released
struct HalfOfTwo : ArrivalCursor {
    static constexpr QueueMembers has{.start = true, .head = true, .released = true};
    void released(std::uint32_t, std::uint32_t) {}
    void advanced(std::int64_t) {}
};
static_assert(go_together<PlainPass, HalfOfTwo>);

// says: A capacity | UnsaidPrepare | defines_prepare | has.prepare
struct UnsaidPrepare : CountCapacity {
    void prepare(const JobShape&) {}
};
static_assert(go_together<PlainPass, ArrivalCursor, UnsaidPrepare>);

// says: A recorder | MisspeltRecorder | recorder.reserved(job, time_ms)
struct MisspeltRecorder {
    void started(JobId, PoolId, std::uint32_t, std::int64_t) {}
    void formed(JobId, const PlanForm&) {}
    void staged(JobId, std::int64_t, std::int64_t, bool) {}
    template <class Grant, class Capacity>
    void placed(JobId, const Grant&, const Capacity&) {}
    void stopped(JobId, StopCause, std::int64_t, std::int64_t, std::int64_t, std::int64_t) {}
    void finished(JobId, std::int64_t) {}
    void dropped(JobId, std::int64_t) {}
    void waits_for_others(JobId, std::int64_t) {}
    void eligible(JobId, std::int64_t) {}
    void reservd(JobId, std::int64_t) {}
    void paid(PoolId, std::int64_t, std::int64_t) {}
    template <class State, class Queue, class Capacity>
    void settled(const State&, const Queue&, const Capacity&) {}
};
static_assert(go_together<PlainPass, ArrivalCursor, CountCapacity, MisspeltRecorder>);

// says: a pass that stops attempts needs a queue that takes jobs back
struct StoppingPass : PlainPass {
    using PlainPass::PlainPass;
    static constexpr PassMembers has{.stops = true};
};
static_assert(go_together<StoppingPass>);

struct NamedPolicy {
    static constexpr std::string_view name = "wrong";
    static constexpr std::string_view summary = "wrong";
    static constexpr std::string_view cost = "nothing";
    static constexpr std::string_view source = "nowhere";
};

// says: not described | MisspeltFrom | defines_from | has_options
struct MisspeltFrom : NamedPolicy {
    static constexpr OrderTraits traits{};
    static constexpr OptionInfo options[]{{.name = "factor"}};
    [[nodiscard]] std::uint64_t key(const JobView&) const { return 0; }
    static MisspeltFrom form(const PolicyOptions&) { return {}; }
};
using WithMisspeltFrom = QueueOrderList<MisspeltFrom>;

// says: not described | MisspeltCost | Policy::cost
struct MisspeltCost {
    static constexpr std::string_view name = "wrong";
    static constexpr std::string_view summary = "wrong";
    static constexpr std::string_view costs = "nothing";
    static constexpr std::string_view source = "nowhere";
    static constexpr OrderTraits traits{};
    [[nodiscard]] std::uint64_t key(const JobView&) const { return 0; }
};
using WithMisspeltCost = QueueOrderList<MisspeltCost>;

// says: A queue order | MisspeltStep | defines_until_key_changes | KeyMotion::steps
struct MisspeltStep : NamedPolicy {
    static constexpr OrderTraits traits{.motion = KeyMotion::steps};
    [[nodiscard]] std::uint64_t key(const JobView&) const { return 0; }
    [[nodiscard]] Duration until_keychanges(const JobView&) const { return {}; }
};
using WithMisspeltStep = QueueOrderList<FirstComeFirstServed, MisspeltStep>;

// says: A queue order | MisspeltTraits | O::traits
struct MisspeltTraits : NamedPolicy {
    static constexpr OrderTraits trait{.preempts = true};
    [[nodiscard]] std::uint64_t key(const JobView&) const { return 0; }
};
using WithMisspeltTraits = QueueOrderList<MisspeltTraits>;

// says: OrderTraits | preemtps
struct UnknownTrait : NamedPolicy {
    static constexpr OrderTraits traits{.preemtps = true};
};

// says: A placement | MisspeltRest | defines_rest_node | traits.rest_node
struct MisspeltRest : NamedPolicy {
    static constexpr PlacementTraits traits{.rest_node = true};
    [[nodiscard]] std::int64_t score(const FleetView&, const PlacedPiece&) const { return 0; }
    [[nodiscard]] std::uint32_t restnode(const FreeNodes&, std::uint32_t) const { return 0; }
};
using WithMisspeltRest = PlacementList<MisspeltRest>;

} // namespace bursar
