#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/catalog/carbon.hpp"
#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/keys/price/currencies.hpp"
#include "scenarios/reader/reader.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/scenario/fleet_spec.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of one pool of `fleet`. What is read has its rate worked out and its GPU's own name.
Table<PoolSpec> pool_keys(const Catalogue& catalogue, const PriceContext& context);

/// A GPU of the catalogue the run uses; the value is the catalogue's own name. The schema only
/// lists the names: the run's catalogue may be another one than the schema was made with.
class GpuRule {
  public:
    using value_type = std::string;
    /// catalogue: outlives it.
    explicit GpuRule(const Catalogue& catalogue) : catalogue_{&catalogue} {}

    [[nodiscard]] std::optional<std::string> read(const Reader& at) const {
        const Node& node = at.node();
        if (node.kind == NodeKind::scalar && // as most write it: no list of names is made
            std::ranges::find(catalogue_->gpus, node.text, &Gpu::name) != catalogue_->gpus.end())
            return node.text;
        const auto name = text().read(at) ? one_of(catalogue_->names()).read(at) : std::nullopt;
        const Gpu* gpu = name ? catalogue_->find(*name) : nullptr;
        return gpu != nullptr ? std::optional{gpu->name} : name;
    }
    [[nodiscard]] Schema schema() const { return OpenNameRule{catalogue_->names()}.schema(); }

  private:
    const Catalogue* catalogue_;
};

/// Reports the key `memory` of a mapping where it is too large.
inline void check_memory(const Reader& at, std::int64_t bytes) {
    if (bytes > max_memory_bytes)
        at.mistake_at("memory", "exceeds what a node can have", "at most 1024 TiB");
}

inline constexpr std::int64_t max_nodes_of_pool = 1'000'000;

/// The keys of a pool that say how many nodes it has, and how they come and go: `nodes`, `boot`,
/// `idle_timeout`, `provisioning`.
std::vector<Key<PoolSpec>> node_keys();

/// Ranges of nodes that mean nothing.
void check_nodes_of_pool(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// The key of a pool that says how many of its nodes can be had: `availability`.
Key<PoolSpec> availability_key();

/// What a pool must be for it. at: the pool.
void check_availability(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// The keys of a pool that say when its nodes are out of service, and what takes their place:
/// `failures`, `maintenance`, `stragglers`, `spares`.
std::vector<Key<PoolSpec>> failure_keys();

/// What a pool must be for stragglers. at: the pool.
void check_stragglers(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// The same for spares.
void check_spares(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// The key of a pool that says how often its launches fail: `launch_failures`.
Key<PoolSpec> launch_failures_key();

/// What a pool must be for it. at: the pool.
void check_launch_failures(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// A row of `quotas`.
Table<QuotaSpec> quota_keys();

/// The grid of a cloud region of the carbon catalogue.
[[nodiscard]] GridSpec grid_of(const CarbonSite& site);

/// What stands under `energy`, of the scenario or of a pool.
Table<EnergySpec> energy_keys();

}} // namespace bursar::scenarios
