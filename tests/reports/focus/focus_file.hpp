#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/units/int128.hpp"

#include "reports/outputs/registry.hpp"

#include "tests/properties.hpp"
#include "tests/reports/support/csv.hpp"
#include "tests/reports/support/random_result.hpp"

namespace bursar::test {

using FocusColumns = std::map<std::string, std::size_t>;

/// A row of focus.csv by the names of its columns; "" is null.
class FocusRow {
  public:
    FocusRow(std::shared_ptr<const FocusColumns> columns, std::vector<std::string> fields)
        : columns_{std::move(columns)}, fields_{std::move(fields)} {
        RC_ASSERT(columns_->size() == fields_.size());
    }
    [[nodiscard]] const std::string& operator[](const std::string& column) const {
        return fields_[columns_->at(column)];
    }
    [[nodiscard]] bool is_null(const std::string& column) const { return (*this)[column].empty(); }
    /// A decimal in units of 10^-15, exactly.
    [[nodiscard]] int128 exact(const std::string& column) const {
        std::string decimal = (*this)[column];
        const bool is_negative = decimal.starts_with('-');
        decimal.erase(0, is_negative ? 1 : 0);
        const std::size_t point = std::min(decimal.find('.'), decimal.size());
        std::string fraction = point < decimal.size() ? decimal.substr(point + 1) : "";
        RC_ASSERT(fraction.size() <= 15U);
        fraction.resize(15, '0');
        int128 value = 0;
        for (const char digit : decimal.substr(0, point) + fraction)
            value = value * 10 + (digit - '0');
        return is_negative ? -value : value;
    }
    [[nodiscard]] bool is_usage() const { return (*this)["ChargeCategory"] == "Usage"; }
    [[nodiscard]] bool is_purchase() const { return (*this)["ChargeCategory"] == "Purchase"; }

  private:
    std::shared_ptr<const FocusColumns> columns_; // of all rows of a file
    std::vector<std::string> fields_;
};

struct FocusFile {
    std::vector<std::string> header;
    std::vector<FocusRow> rows;
    std::string text;
};

inline std::string focus_text(const Result& result,
                              FocusVersion version = FocusVersion::v1_2,
                              ShareIdle share_idle = ShareIdle::none) {
    OutputOptions options;
    options.focus_version = version;
    options.share_idle = share_idle;
    StringSink sink;
    find_output("focus")->write(result, options, sink);
    return sink.text();
}

inline FocusFile focus_file(const Result& result,
                            FocusVersion version = FocusVersion::v1_2,
                            ShareIdle share_idle = ShareIdle::none) {
    FocusFile file;
    file.text = focus_text(result, version, share_idle);
    std::vector<std::vector<std::string>> rows = parse_csv(file.text);
    file.header = std::move(rows.front());
    auto columns = std::make_shared<FocusColumns>();
    for (std::size_t i = 0; i < file.header.size(); ++i)
        (*columns)[file.header[i]] = i;
    for (std::size_t i = 1; i < rows.size(); ++i)
        file.rows.emplace_back(columns, std::move(rows[i]));
    return file;
}

/// Divides the cells of a result by hours, at random.
inline void divide_by_hours(Result& out) {
    const bool varies =
        std::ranges::any_of(out.pools, [](const ResultPool& pool) { return pool.price.varies(); });
    out.periods.width = hour;
    std::vector<std::array<int128, 3>> held(out.cells.size());
    for (std::size_t i = 0; i < out.cells.size(); ++i) {
        held[i][0] = out.cells[i].held.count() * drawn::in_range(0, 101) / 100;
        held[i][1] = (out.cells[i].held.count() - held[i][0]) * drawn::in_range(0, 101) / 100;
        held[i][2] = out.cells[i].held.count() - held[i][0] - held[i][1];
    }
    for (std::uint32_t bucket = 0; bucket < 3; ++bucket) {
        for (std::uint32_t i = 0; i < out.cells.size(); ++i) {
            const ResultCell& cell = out.cells[i];
            int128 cost = cell.cost.count() * held[i][bucket] / cell.held.count();
            if (bucket == 2)
                for (const std::size_t before : {0U, 1U})
                    cost = (before == 0 ? cell.cost.count() : cost) -
                           cell.cost.count() * held[i][before] / cell.held.count();
            out.periods.bucket.push_back(bucket);
            out.periods.cell.push_back(i);
            out.periods.slot_ms.push_back(static_cast<std::uint64_t>(held[i][bucket]));
            if (varies) {
                out.periods.cost_high.push_back(static_cast<std::uint64_t>(cost >> 40U));
                out.periods.cost_low.push_back(static_cast<std::uint64_t>(cost) &
                                               ((std::uint64_t{1} << 40U) - 1));
            }
        }
    }
}

/// Any result with names of any kind, divided by hours or not.
inline Result random_focus_result() {
    Result result = random_result();
    if (drawn::boolean())
        divide_by_hours(result);
    for (OtherCost& other : result.run.other_costs)
        if (drawn::boolean())
            other.name = "unused commitment " + other.name;
    return result;
}

} // namespace bursar::test
