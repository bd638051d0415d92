#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reports/bill/tenant_shares.hpp"
#include "reports/result/result.hpp"
#include "reports/text/csv_row.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {

/// Instants of CSV files, which all have the same number of digits.
inline InstantWriter csv_instants(const Result& result) {
    return InstantWriter{result.zero_utc_ms, InstantDigits::always_three};
}

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

/// Ids of jobs, each used once: the trace's name of a job, or its number from 0. Jobs that share a
/// name are numbered from 1: "train#1", "train#2".
class JobIds {
  public:
    /// jobs: outlives it.
    explicit JobIds(const JobColumns& jobs) : jobs_{jobs} {
        std::unordered_map<std::string_view, std::uint32_t> num_of_name;
        for (std::size_t job = 0; job < jobs.name_end.size(); ++job)
            if (++num_of_name[*jobs.name(job)] == 2)
                number_.resize(jobs.name_end.size());
        if (number_.empty())
            return;
        std::unordered_map<std::string_view, std::uint32_t> next;
        for (std::size_t job = 0; job < number_.size(); ++job)
            if (const std::string_view name = *jobs.name(job); num_of_name[name] > 1)
                number_[job] = ++next[name];
        while (jobs.names.find(mark_) != std::string::npos) // ids stay unlike all names
            mark_ += '#';
    }

    void put(CsvRow& row, std::size_t job) const {
        const auto name = jobs_.name(job);
        if (!name)
            row.integer(job);
        else if (number_.empty() || number_[job] == 0)
            row.text(*name);
        else
            row.text(id(job));
    }
    [[nodiscard]] std::string id(std::size_t job) const {
        const auto name = jobs_.name(job);
        if (!name)
            return std::to_string(job);
        const bool is_numbered = !number_.empty() && number_[job] > 0;
        return std::string{*name} + (is_numbered ? mark_ + std::to_string(number_[job]) : "");
    }

  private:
    const JobColumns& jobs_;
    std::vector<std::uint32_t> number_; ///< among jobs of its name; 0: the only one. Empty: all are
    std::string mark_{"#"};
};

}} // namespace bursar::reports
