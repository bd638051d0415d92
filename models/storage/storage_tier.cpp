#include "models/storage/storage_tier.hpp"

#include <algorithm>

#include "models/errors/require_range.hpp"

namespace bursar { inline namespace models {

void check(const StorageTier& tier) {
    require_not_negative((tier.name + ": price per GB and month").c_str(), tier.usd_per_gb_month);
    require_not_negative((tier.name + ": price per GB retrieved").c_str(),
                         tier.usd_per_gb_retrieved);
    require_not_negative((tier.name + ": price per 1000 writes").c_str(), tier.usd_per_1000_writes);
    require_not_negative((tier.name + ": price per 1000 reads").c_str(), tier.usd_per_1000_reads);
    require_not_negative((tier.name + ": price per GB of egress").c_str(), tier.usd_per_gb_egress);
    require_not_negative((tier.name + ": min_days").c_str(), tier.min_days);
}

double egress_usd(const StorageTier& tier, ByteVolume volume) {
    check(tier);
    require_not_negative("size", volume.count());
    return volume.count() / bytes_per_gb * (tier.usd_per_gb_retrieved + tier.usd_per_gb_egress);
}

}} // namespace bursar::models
