#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar {

/// A workload drawn from published statistics by the seeded generator.
struct SyntheticSpec {
    std::string like;    ///< philly, helios or pai
    std::int64_t jobs{}; ///< >= 1
    std::int64_t gpus{}; ///< size of the cluster that `load` refers to; >= 1
    double load{1.0};    ///< offered GPU time over capacity; > 0
    std::uint64_t seed{1};
};

/// Which jobs a class takes; an absent field matches all.
struct ClassMatch {
    std::optional<CountRange> gpus;
    std::vector<std::string> tenants;
};

struct ClassSpec {
    std::optional<ClassMatch> match; ///< absent: takes everything left
    Duration startup{};
    Duration teardown{};
    std::vector<std::string> pools; ///< pools it may use; empty: all
    Place place;
};

struct BillingSpec {
    Duration granularity{1}; ///< paid time is rounded up to a multiple of this
};

struct PoolSpec {
    std::string name; ///< [a-z0-9-]+
    Purchase purchase{Purchase::owned};
    std::string gpu;              ///< catalogue name
    std::int64_t nodes{};         ///< >= 1
    std::int64_t gpus_per_node{}; ///< >= 1
    MoneyRate rate{};             ///< from price, or worked out from owned cost
    std::string price_basis; ///< how `rate` came about, for the report: "declared", "owned cost"
    std::optional<Duration>
        term; ///< reserved: the whole term is paid, as often as it takes to cover the run
    BillingSpec billing;
    std::string region;
    Place place;
};

struct PolicySpec {
    std::string queue{"fifo"};
    std::string head{"block"};     ///< block, skip
    std::string capacity{"nodes"}; ///< count, nodes
    std::string placement{"consolidated"};
    std::string broker{"owned-first"};
};

/// What the user wrote, checked, with units; every path relative to the file that named it is
/// resolved.
struct Scenario {
    std::string file;
    std::string name;
    std::variant<TraceOptions, SyntheticSpec> workload;
    std::vector<ClassSpec> classes;
    std::vector<PoolSpec> fleet;
    PolicySpec policy;
    std::optional<Duration> until;
    Duration measure_from{};
    std::optional<Duration> measure_to;
    std::int64_t seeds{1};
    std::uint64_t hash{}; ///< over the canonical form after include and --set; not over file names
                          ///< or comments
    std::vector<Finding> warnings;
    std::vector<std::string>
        assumed; ///< what was taken for granted because the scenario does not say
};

} // namespace bursar
