#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/units/units.hpp"

#include "sim/engine/setup/run_options.hpp"

#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

inline constexpr std::string_view head_block = "block";
inline constexpr std::string_view head_skip = "skip";
inline constexpr std::string_view capacity_nodes = "nodes";
inline constexpr std::string_view capacity_count = "count";
inline constexpr std::string_view backfill_none = "none";
inline constexpr std::string_view estimates_exact = "exact";
inline constexpr std::string_view precision_as_given = "as-given";
inline constexpr std::string_view preemption_none = "none";
inline constexpr std::string_view preemption_order = "order";
inline constexpr std::string_view broker_owned_first = "owned-first";
inline constexpr std::string_view broker_any = "any";
inline constexpr std::string_view allocator_none = "none";
inline constexpr std::string_view staging_none = "none";

constexpr std::string_view name_of(HeadRule head) {
    return head == HeadRule::skip ? head_skip : head_block;
}

/// What a job that requests part of a GPU receives.
enum class Sharing : std::uint8_t {
    slots,    ///< that part; several jobs share a GPU
    exclusive ///< all of it
};

/// The policies of one run, by their names in the catalogue, with their options.
struct PolicyChoice {
    std::string queue{"fifo"};
    HeadRule head{HeadRule::block};
    std::string capacity{capacity_nodes};
    std::string placement{"consolidated"}; ///< ignored under `capacity: count`
    std::string backfill{backfill_none};
    std::string preemption{}; ///< empty: the default of the queue's order
    std::string broker{broker_owned_first};
    std::string allocator{allocator_none}; ///< decides in place of queue and preemption
    Duration quantum{}; ///< jobs start (and stop) only at multiples of this; 0: at any event
    Sharing sharing{Sharing::slots};           ///< plans are compiled with it
    std::string estimates{estimates_exact};    ///< of run times; plans are compiled with them
    std::string precision{precision_as_given}; ///< number format; plans are compiled with it
    std::string staging{staging_none};         ///< ahead of starts; plans are compiled with it
    std::uint64_t seed{1};                     ///< of the run, for random policies
    PolicyOptions queue_options{};
    PolicyOptions placement_options{};
    PolicyOptions backfill_options{};
    PolicyOptions preemption_options{};
    PolicyOptions estimates_options{};
    PolicyOptions precision_options{};
    PolicyOptions broker_options{};
    PolicyOptions allocator_options{};
    PolicyOptions staging_options{};

    bool operator==(const PolicyChoice&) const = default;
};

/// Whether the order gives each job one key. Tenants' shares and ratios rank waiting jobs only.
bool queue_has_keys(const PolicyChoice& choice);

/// Whether the preemption in force distributes all GPUs again in the order of keys: by quantum, or
/// by the order of a queue with keys.
bool hands_out_anew(const PolicyChoice& choice);

/// The head rule in force: the one of the choice, except that preemptions that hand out anew and
/// allocators always skip jobs that do not fit.
HeadRule head_of(const PolicyChoice& choice);

/// The preemption in force: the one of the choice, or the default of the queue's order.
std::string_view preemption_of(const PolicyChoice& choice);

/// Whether runs of the choice differ by its seed.
bool draws_at_random(const PolicyChoice& choice);

/// Whether a policy of the choice decides by estimated run times, so that `estimates` matters.
bool needs_run_times(const PolicyChoice& choice);

}} // namespace bursar::policies
