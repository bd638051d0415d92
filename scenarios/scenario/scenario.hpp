#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/scenario/training_spec.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar {

/// A workload drawn from published statistics by the seeded generator.
struct SyntheticSpec {
    std::string like;    ///< philly, helios or pai
    std::int64_t jobs{}; ///< >= 1
    std::int64_t gpus{}; ///< size of the cluster that `load` refers to; >= 1
    double load{1.0};    ///< offered GPU time over capacity; > 0
    std::uint64_t seed{1};
    Place place{}; ///< of `workload.synthetic`; no file where no scenario asks
};

/// A job, or equal jobs in a row, that the scenario spells out.
struct ListedJob {
    std::string name;
    std::int64_t gpus{}; ///< >= 1
    Duration submit{};   ///< of the first
    std::int64_t count{1};
    Duration every{};                 ///< between one submit and the next; > 0 where count > 1
    std::string tenant;               ///< empty: "all"
    std::optional<Duration> duration; ///< absent: its class says what it trains
    Place place;
};

/// A workload written by hand.
struct JobList {
    std::vector<ListedJob> jobs; ///< at least one
};

/// Which jobs a class takes; an absent field matches all.
struct ClassMatch {
    std::optional<CountRange> gpus;
    std::vector<std::string> tenants;
    std::vector<std::string> names{};
};

struct ClassSpec {
    std::optional<ClassMatch> match; ///< absent: takes everything left
    Duration startup{};
    Duration teardown{};
    std::vector<std::string> pools; ///< pools it may use; empty: all
    TrainingSpec training;
    Place place;
};

struct BillingSpec {
    Duration granularity{1}; ///< paid time is rounded up to a multiple of this
};

/// What a price is asked for.
enum class PricePer : std::uint8_t { gpu, node };

/// Money as the user wrote it, per GPU or per node; per hour where it is a rate.
struct Price {
    std::int64_t nano_usd{};
    PricePer per{PricePer::gpu};
};

/// What an owned pool cost to buy and costs to keep (models/market/owned_cost.hpp).
struct OwnedSpec {
    Price capex;
    Duration life{};                     ///< depreciation period, >= 1 h
    std::int64_t power_milliwatts{};     ///< per GPU, its share of the node included
    std::int64_t pue_milli{1000};        ///< >= 1000
    std::int64_t electricity_nano_usd{}; ///< per kWh
    std::int64_t colo_nano_usd{};        ///< per kW of IT power and month
};

struct PoolSpec {
    std::string name; ///< [a-z0-9-]+
    Purchase purchase{Purchase::owned};
    std::string gpu;                ///< the catalogue's own name, aliases resolved
    std::int64_t nodes{};           ///< >= 1
    std::int64_t gpus_per_node{};   ///< >= 1
    std::optional<Price> price;     ///< exactly one of price and owned is there
    std::optional<OwnedSpec> owned; ///< only for Purchase::owned
    MoneyRate rate{};               ///< worked out from price or owned
    std::string price_basis; ///< how `rate` came about, for the report: "declared", "owned cost"
    /// reserved: whole terms are paid, as many as cover the run; absent: to the end of the run
    std::optional<Duration> term;
    BillingSpec billing;
    std::string region;
    /// What a node sends to others, all its adapters together; absent: usual_node_network.
    std::optional<ByteRate> network;
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
    std::variant<TraceOptions, SyntheticSpec, JobList> workload;
    std::vector<ClassSpec> classes;
    std::vector<PoolSpec> fleet;
    PolicySpec policy;
    std::optional<Duration> until;
    Duration measure_from{};
    std::optional<Duration> measure_to;
    std::int64_t seeds{1};
    std::uint64_t hash{}; ///< canonical_hash of the document after include and --set
    std::vector<Finding> warnings;
    std::vector<std::string> assumed;    ///< what was taken for granted: the scenario does not say
    std::vector<std::string> unmodelled; ///< what it asks for and this version leaves out
};

} // namespace bursar
