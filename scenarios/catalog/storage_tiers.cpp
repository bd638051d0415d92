#include "scenarios/catalog/storage_tiers.hpp"

#include "scenarios/catalog/catalogue_file.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

Table<StorageTier> tier_keys() {
    using T = StorageTier;
    const NumberRule usd{0, Bound::included, 1e6};
    const NumberRule days{0, Bound::included, 36'500};
    return table<T>({
        {required("name", &T::name, text()), "unique; the value of `--tier`"},
        {required("usd_per_gb_month", &T::usd_per_gb_month, usd), "of keeping a GB for a month"},
        {optional("usd_per_gb_retrieved", &T::usd_per_gb_retrieved, usd), "of reading a GB (0)"},
        {optional("usd_per_1000_writes", &T::usd_per_1000_writes, usd), "of 1000 objects (0)"},
        {optional("usd_per_1000_reads", &T::usd_per_1000_reads, usd), "of 1000 objects (0)"},
        {optional("usd_per_gb_egress", &T::usd_per_gb_egress, usd),
         "out of the provider's network (0)"},
        {optional("min_days", &T::min_days, days),
         "an object deleted earlier is charged for them (0)"},
        {required("source", &T::source, text()), "where the prices were published, and when"},
    });
}

CatalogueFile<StorageTiers> tier_file() {
    return CatalogueFile{
        table<StorageTiers>(
            {{required("tiers", &StorageTiers::all, list_of(tier_keys())), "the tiers"}}),
        [](const Reader& root) { UniqueNames{}.claim_names(root, "tiers"); }};
}

} // namespace

const StorageTier* StorageTiers::find(std::string_view name) const {
    return find_named(all, name);
}

std::vector<std::string> StorageTiers::names() const {
    return names_of(all);
}

const StorageTiers& builtin_storage_tiers() {
    static const StorageTiers tiers = read_storage_tiers_text(builtin_storage_yaml, "storage.yaml");
    return tiers;
}

StorageTiers read_storage_tiers(const std::string& path) {
    return tier_file().read(path);
}

StorageTiers read_storage_tiers_text(std::string_view text, const std::string& file) {
    return tier_file().read_text(text, file);
}

}} // namespace bursar::scenarios
