#pragma once

#include <string>
#include <vector>

#include "reports/bill/tenant_shares.hpp"
#include "reports/result/result.hpp"
#include "reports/text/csv_row.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {

/// The fields `pool,gpu_type` of every pool, which stand in many rows.
inline std::vector<std::string> pool_fields(const Result& result) {
    std::vector<std::string> fields;
    for (const ResultPool& pool : result.pools)
        fields.push_back(csv_field(pool.name) + "," + csv_field(pool.gpu));
    return fields;
}

/// The fields `pool,gpu_type,purchase,region,tenant,leaf` of every cell; no tenant: empty.
inline std::vector<std::string> cell_fields(const Result& result) {
    const std::vector<std::string> pools = pool_fields(result);
    std::vector<std::string> fields;
    for (const ResultCell& cell : result.cells) {
        const ResultPool& pool = result.pools[cell.pool];
        fields.push_back(pools[cell.pool] + ",");
        fields.back() += purchase_names[static_cast<std::size_t>(pool.purchase)];
        fields.back() += "," + csv_field(pool.region) + ",";
        if (cell.tenant)
            fields.back() += csv_field(tenant_title(result.tenants[*cell.tenant]));
        fields.back() += ",";
        fields.back() += name_of(cell.leaf);
    }
    return fields;
}

/// The trace's name of a job, or its number from 0.
inline void put_job_id(CsvRow& row, const JobColumns& jobs, std::size_t job) {
    const auto name = jobs.name(job);
    name ? row.text(*name) : row.integer(job);
}

}} // namespace bursar::reports
