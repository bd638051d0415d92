#include "models/storage/storage_tier.hpp"

#include <algorithm>

#include "models/errors/require_range.hpp"

namespace bursar {

void check(const StorageTier& tier) {
    require_not_negative((tier.name + ": price per GB and month").c_str(), tier.usd_per_gb_month);
    require_not_negative((tier.name + ": price per GB retrieved").c_str(),
                         tier.usd_per_gb_retrieved);
    require_not_negative((tier.name + ": price per 1000 writes").c_str(), tier.usd_per_1000_writes);
    require_not_negative((tier.name + ": price per 1000 reads").c_str(), tier.usd_per_1000_reads);
    require_not_negative((tier.name + ": price per GB of egress").c_str(), tier.usd_per_gb_egress);
    require_not_negative((tier.name + ": least days").c_str(), tier.least_days);
}

const std::array<StorageTier, 4>& published_storage_tiers() {
    static const std::array<StorageTier, 4> tiers{{
        {"s3-standard",
         0.023,
         0,
         0.005,
         0.0004,
         0.09,
         0,
         "Amazon S3 Standard, us-east-1, first 50 TB, list price as quoted by third parties in "
         "May 2026; egress to the internet, first 10 TB"},
        {"s3-standard-ia",
         0.0125,
         0.01,
         0.01,
         0.001,
         0.09,
         30,
         "Amazon S3 Standard-IA, us-east-1, as quoted by third parties in May 2026; request prices "
         "[unverified]"},
        {"s3-glacier-instant",
         0.004,
         0.03,
         0.02,
         0.01,
         0.09,
         90,
         "Amazon S3 Glacier Instant Retrieval, us-east-1, as quoted by third parties in May 2026; "
         "request prices [unverified]"},
        {"s3-deep-archive",
         0.00099,
         0.02,
         0.05,
         0.10,
         0.09,
         180,
         "Amazon S3 Glacier Deep Archive, us-east-1, standard retrieval (12 h), as quoted by third "
         "parties in May 2026; request prices [unverified]"},
    }};
    return tiers;
}

const StorageTier* find_storage_tier(std::string_view name) {
    const auto& all = published_storage_tiers();
    const auto* found = std::ranges::find(all, name, &StorageTier::name);
    return found == all.end() ? nullptr : found;
}

std::vector<std::string> storage_tier_names() {
    std::vector<std::string> names;
    for (const StorageTier& tier : published_storage_tiers())
        names.push_back(tier.name);
    return names;
}

double holding_usd(const StorageTier& tier, ByteVolume volume, Seconds time) {
    check(tier);
    require_not_negative("size", volume.count());
    require_not_negative("time", time.count());
    const double billed = std::max(time.count(), tier.least_days * seconds_per_day);
    return volume.count() / bytes_per_gb * tier.usd_per_gb_month * billed / seconds_per_month;
}

double egress_usd(const StorageTier& tier, ByteVolume volume) {
    check(tier);
    require_not_negative("size", volume.count());
    return volume.count() / bytes_per_gb * (tier.usd_per_gb_retrieved + tier.usd_per_gb_egress);
}

} // namespace bursar
