#include "scenarios/keys/fleet/fleet_keys.hpp"

#include <memory>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "models/market/owned_cost.hpp"

#include "scenarios/catalog/topologies.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/keys/price/price_keys.hpp"
#include "scenarios/market/prices/machine_types.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::int64_t max_gpus_per_pool = (std::int64_t{1} << 24) - 1;

OwnedCost owned_cost(const OwnedSpec& owned, std::int64_t gpus_per_node) {
    return {.capex_nano_usd_per_gpu = gpu_price(owned.capex, gpus_per_node),
            .life = owned.life,
            .power_milliwatts_per_gpu = owned.power_milliwatts,
            .pue_milli = owned.pue_milli,
            .electricity_nano_usd_per_kwh = owned.electricity_nano_usd,
            .colo_nano_usd_per_kw_month = owned.colo_nano_usd};
}

void check_owned(const Reader& at, OwnedSpec& owned, const KeysRead& keys) {
    if (keys.good("life") && owned.life < hour)
        at.mistake_at("life", "too short to depreciate over", "at least 1 h");
    if (at.find("power"))
        return;
    for (const std::string_view key : {"pue", "electricity", "colo"})
        if (const auto unused = at.find(key))
            unused->mistake("has no effect without power", "it multiplies power");
}

Table<OwnedSpec> owned_keys(const PriceContext& context) {
    const auto& currencies = context.currencies;
    return table<OwnedSpec, check_owned>({
        {required("capex", &OwnedSpec::capex, money(price_of(capital_prices), currencies)),
         "purchase price, net of resale value"},
        {required("life", &OwnedSpec::life, lifetime(Zero::refused)),
         "depreciation period, straight line; at least 1 h"},
        {optional("power", &OwnedSpec::power_milliwatts, amount(powers)),
         "IT power drawn per GPU, its share of the node included; default none"},
        {optional("pue", &OwnedSpec::pue_milli, thousandths(1, max_owned_cost.pue_milli / 1000)),
         "power usage effectiveness, multiplies electricity; default 1"},
        {optional("electricity",
                  &OwnedSpec::electricity_nano_usd,
                  money(amount(energy_prices), currencies)),
         "price of energy at the building's meter; default none"},
        {optional("colo", &OwnedSpec::colo_nano_usd, money(amount(colo_prices), currencies)),
         "rent per kW of IT power and month; default none"},
    });
}

Table<BillingSpec> billing_keys() {
    return table<BillingSpec>({
        {required("granularity", &BillingSpec::granularity, duration(Zero::refused)),
         "paid time is rounded up to a multiple of this"},
        {optional("minimum", &BillingSpec::minimum, duration()),
         "least paid time of each launch of a node; default 0"},
    });
}

/// Keys that have a meaning for some purchases only.
void check_size(const Reader& at, const PoolSpec& pool, const KeysRead& keys) {
    if (keys.good("nodes") && keys.good("gpus_per_node") &&
        pool.nodes * pool.gpus_per_node > max_gpus_per_pool)
        at.mistake(fmt::format("{} GPUs in one pool", pool.nodes * pool.gpus_per_node),
                   fmt::format("at most {}", max_gpus_per_pool),
                   "split it into several pools");
}

void check_purchase(const Reader& at, const PoolSpec& pool, const KeysRead& keys) {
    if (!keys.good("purchase"))
        return;
    const bool by_use = pool.purchase == Purchase::on_demand || pool.purchase == Purchase::spot;
    if (const auto owned = at.find("owned"); owned && pool.purchase != Purchase::owned)
        owned->mistake("only for purchase owned", {}, "give a price");
    if (const auto billing = at.find("billing"); billing && !by_use)
        billing->mistake("only for purchase on_demand and spot",
                         "paid time of other capacity is not rounded");
}

/// The network of the nodes is given by one key only.
void check_network(const Reader& at, const PoolSpec& pool) {
    const auto network = at.find("network");
    if (!network || !pool.topology)
        return;
    if (!pool.topology->file.empty())
        network->mistake("cannot be combined with a topology file", "the file defines it");
    else if (pool.topology->node_link)
        network->mistake("cannot be combined with topology.node_link", "give one of them");
}

/// Reports an owned cost beyond the range of its formula (a wrong unit). at: the mapping `owned`.
bool within_limits(const Reader& at, const OwnedCost& cost) {
    struct Limit {
        std::string_view key;
        bool kept{};
        std::string_view max;
    };
    const OwnedCost& max = max_owned_cost;
    const Limit limits[] = {
        {"capex", cost.capex_nano_usd_per_gpu <= max.capex_nano_usd_per_gpu, "1e6 USD/gpu"},
        {"life", cost.life <= max.life, "100 y"},
        {"power", cost.power_milliwatts_per_gpu <= max.power_milliwatts_per_gpu, "100 kW"},
        {"electricity",
         cost.electricity_nano_usd_per_kwh <= max.electricity_nano_usd_per_kwh,
         "100 USD/kWh"},
        {"colo",
         cost.colo_nano_usd_per_kw_month <= max.colo_nano_usd_per_kw_month,
         "1e6 USD/kW-month"},
    };
    bool all_kept = true;
    for (const Limit& limit : limits) {
        if (!limit.kept)
            at.mistake_at(limit.key, "exceeds the limit", fmt::format("at most {}", limit.max));
        all_kept = all_kept && limit.kept;
    }
    return all_kept;
}

/// Reports a price for machines with another number of GPUs than the pool's. gpus: of one machine,
/// if its file says so; file: the file's name.
void check_machine(const Reader& at,
                   const PoolSpec& pool,
                   const PriceOffer& offer,
                   std::optional<std::int64_t> gpus,
                   const std::string& file) {
    const std::optional<MachineGpus> known = machine_gpus(offer.type);
    const std::string says = gpus ? "says " + file : "by the name of its type";
    if (!gpus && known)
        gpus = known->gpus;
    if (gpus && *gpus != pool.gpus_per_node)
        at.mistake_at(
            "gpus_per_node",
            fmt::format("a machine of {} has {} GPU{}", offer.text(), *gpus, *gpus == 1 ? "" : "s"),
            says);
    else if (known && !names_gpu(pool.gpu, known->gpu))
        at.mistake_at("gpu",
                      fmt::format("a machine of {} has {}", offer.text(), known->gpu),
                      "by the name of its type",
                      "another type, or a price that is a number");
}

/// Adds the upfront payment of each term to the rate.
void add_upfront(PoolSpec& pool) {
    if (!pool.upfront || !pool.term_length || *pool.term_length < hour || pool.list_price_varies())
        return;
    const MoneyRate share = upfront_rate(pool);
    pool.rate += share;
    pool.price_basis +=
        fmt::format(", with {:.9g} USD per GPU-hour of what is paid upfront over {:.6g} h",
                    static_cast<double>(share.count()) / nano_usd_per_usd,
                    static_cast<double>(pool.term_length->count()) / hour.count());
}

void work_out_rate(const Reader& at, PoolSpec& pool, const KeysRead& keys) {
    if (!keys.good("gpus_per_node") || !keys.good("gpu"))
        return;
    if (pool.file_price) {
        const FilePrice& price = *pool.file_price;
        if (price.per == PricePer::node)
            check_machine(at, pool, price.offer, price.gpus, price.name());
        if (!pool.list_price_varies())
            pool.rate = MoneyRate{pool.file_price->per_gpu_hour(pool.gpus_per_node).rate.front()};
        pool.price_basis = pool.file_price->basis();
    } else if (pool.drawn_price) {
        if (const auto& like = pool.drawn_price->like;
            like && pool.drawn_price->per == PricePer::node)
            check_machine(at, pool, like->offer, std::nullopt, like->file);
        pool.price_basis = pool.drawn_price->basis();
    } else if (pool.price) {
        pool.rate = MoneyRate{gpu_price(*pool.price, pool.gpus_per_node)};
        pool.price_basis = "declared";
    } else if (const auto owned = at.find("owned"); owned && pool.owned) {
        const OwnedCost cost = owned_cost(*pool.owned, pool.gpus_per_node);
        if (within_limits(*owned, cost))
            pool.rate = owned_rate(cost);
        pool.price_basis = "owned cost";
    }
}

/// Puts a price into the member for its kind.
void take(PriceRule::value_type read, PoolSpec& pool) {
    if (const auto* rate = std::get_if<Price>(&read))
        pool.price = *rate;
    else if (auto* of_file = std::get_if<FilePrice>(&read))
        pool.file_price = std::make_shared<const FilePrice>(std::move(*of_file));
    else
        pool.drawn_price =
            std::make_shared<const DrawnPrice>(std::get<DrawnPrice>(std::move(read)));
}

Key<PoolSpec> price_row(const PriceContext& context) {
    return {{"price",
             Presence::optional,
             [context](const Reader& at, PoolSpec& pool) {
                 if (auto read = PriceRule{context}.read(at))
                     take(std::move(*read), pool);
             },
             [context] { return PriceRule{context}.schema(); }},
            "price per hour, a file of prices, or prices that are drawn; this or owned"};
}

} // namespace

Table<PoolSpec> pool_keys(const Catalogue& catalogue, const PriceContext& context) {
    const ChoiceRule<Purchase> purchase{{{"owned", Purchase::owned},
                                         {"reserved", Purchase::reserved},
                                         {"on_demand", Purchase::on_demand},
                                         {"spot", Purchase::spot}}};
    std::vector<Key<PoolSpec>> all{
        {required("pool", &PoolSpec::name, identifier()), "name of the pool, unique"},
        {required("purchase", &PoolSpec::purchase, purchase),
         "how the capacity was bought: a number of nodes is up, and paid, from "
         "the zero to the end of the run"},
        {required("gpu", &PoolSpec::gpu, GpuRule{catalogue}),
         "GPU, by its name in the catalogue of the run"},
    };
    for (Key<PoolSpec>& key : node_keys())
        all.push_back(std::move(key));
    for (Key<PoolSpec>& key : std::vector<Key<PoolSpec>>{
             {required(
                  "gpus_per_node", &PoolSpec::gpus_per_node, whole_number(1, max_gpus_per_node)),
              "GPUs in each node"},
             price_row(context),
             {optional("owned", &PoolSpec::owned, owned_keys(context)),
              "cost of owning the hardware, instead of a price"},
             {optional("billing", &PoolSpec::billing, billing_keys()),
              "on_demand and spot: how paid time is rounded; default to the millisecond"},
             {optional("region", &PoolSpec::region, text()), "where the pool is, for the reports"},
             {optional("cpu", &PoolSpec::cpu_milli, thousandths(1, max_cores)),
              "cores of each node; default: unlimited"},
             {optional("memory", &PoolSpec::memory_bytes, amount(byte_counts, Zero::refused)),
              "main memory of each node; default: unlimited"},
             {optional("network",
                       &PoolSpec::network,
                       QuantityRule<ByteRate>{
                           byte_rates,
                           Zero::refused,
                           [](Measure m) { return ByteRate{static_cast<double>(m.count)}; }}),
              "network bandwidth of one node, all adapters together; default: "
              "usual for the GPU"},
             {optional("topology", &PoolSpec::topology, TopologyRule{}),
              "how its nodes are joined: a name of `bursar catalog topology`, keys "
              "of the short form, or a file"},
         })
        all.push_back(std::move(key));
    for (Key<PoolSpec>& key : term_keys(context))
        all.push_back(std::move(key));
    all.push_back(discount_key());
    all.push_back(availability_key());
    all.push_back({optional("energy", &PoolSpec::energy, energy_keys()),
                   "power and emissions of its GPUs; overrides `energy` of the scenario"});
    for (Key<PoolSpec>& key : launch_keys())
        all.push_back(std::move(key));
    for (Key<PoolSpec>& key : failure_keys())
        all.push_back(std::move(key));
    return table<PoolSpec>(std::move(all))
        .exactly_one_of({"price", "owned"})
        .check([](const Reader& at, PoolSpec& pool, const KeysRead& keys) {
            pool.place = at.node().place();
            if (const auto boot = at.find("boot"))
                pool.boot_place = boot->node().place();
            check_size(at, pool, keys);
            check_nodes_of_pool(at, pool, keys);
            check_availability(at, pool, keys);
            check_launch_failures(at, pool, keys);
            check_fault_log(at, pool, keys);
            check_stragglers(at, pool, keys);
            check_spares(at, pool, keys);
            check_memory(at, pool.memory_bytes);
            check_purchase(at, pool, keys);
            check_term(at, pool, keys);
            check_discount(at, pool, keys);
            check_network(at, pool);
            work_out_rate(at, pool, keys);
            add_upfront(pool);
        });
}

}} // namespace bursar::scenarios
