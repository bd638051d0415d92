#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/calendar/calendar.hpp"
#include "scenarios/catalog/carbon.hpp"
#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/keys/price/currencies.hpp"
#include "scenarios/reader/reader.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/scenario/fleet_spec.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of one pool of `fleet`. A pool that was read has its rate and the catalogue's name of
/// its GPU.
Table<PoolSpec> pool_keys(const Catalogue& catalogue, const PriceContext& context);

/// A GPU of the run's catalogue; the value is the catalogue's name. The schema only lists the names
/// as examples: a run may use another catalogue.
class GpuRule {
  public:
    using value_type = std::string;
    /// catalogue: outlives it.
    explicit GpuRule(const Catalogue& catalogue) : catalogue_{&catalogue} {}

    [[nodiscard]] std::optional<std::string> read(const Reader& at) const {
        const Node& node = at.node();
        if (node.kind == NodeKind::scalar && // the usual case needs no list of names
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

/// A zone whose clocks are known: "UTC", "+08:00", "Europe/Berlin".
struct ClockZoneRule {
    using value_type = std::string;

    [[nodiscard]] static std::optional<std::string> read(const Reader& at) {
        std::optional<std::string> name = text().read(at);
        if (!name || is_clock_zone(*name))
            return name;
        return at.mistake(in_quotes(*name) + " is no time zone",
                          "this machine's time-zone database does not have it",
                          "UTC, an offset such as +08:00, or a name such as Europe/Berlin");
    }
    [[nodiscard]] static Schema schema() { return text().schema(); }
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

/// Reports ranges of nodes that have no effect.
void check_nodes_of_pool(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// The key of a pool that says how many of its nodes are available: `availability`.
Key<PoolSpec> availability_key();

/// Reports `availability` of a pool that cannot have it. at: the pool.
void check_availability(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// The keys of a pool for nodes that are out of service or slow, and their replacement:
/// `failures`, `maintenance`, `stragglers`, `spares`.
std::vector<Key<PoolSpec>> failure_keys();

/// Reports `failures` of a pool with more nodes than its log of faults covers. at: the pool.
void check_fault_log(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// Reports `stragglers` of a pool that cannot have them. at: the pool.
void check_stragglers(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// The same for `spares`.
void check_spares(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// The keys of a pool about launches of its nodes: `launch_failures`.
std::vector<Key<PoolSpec>> launch_keys();

/// Reports `launch_failures` of a pool that cannot have them. at: the pool.
void check_launch_failures(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// A row of `quotas`.
Table<QuotaSpec> quota_keys();

/// The grid of a cloud region of the carbon catalogue.
[[nodiscard]] GridSpec grid_of(const CarbonSite& site);

/// The keys of `energy`, of the scenario or of a pool.
Table<EnergySpec> energy_keys();

}} // namespace bursar::scenarios
