#pragma once

#include <string>
#include <vector>

#include "reports/result/result.hpp"
#include "reports/text/escape.hpp"

namespace bursar::inline reports {

/// The fields `pool,gpu_type` of every pool, which stand in many rows.
inline std::vector<std::string> pool_fields(const Result& result) {
    std::vector<std::string> fields;
    for (const ResultPool& pool : result.pools)
        fields.push_back(csv_field(pool.name) + "," + csv_field(pool.gpu));
    return fields;
}

} // namespace bursar::inline reports
