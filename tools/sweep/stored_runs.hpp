#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reports/sweep/sweep_table.hpp"

#include "tools/sweep/database.hpp"

/// The table `runs` of a sweep's database: a row per run that has ended.
namespace bursar { inline namespace tools {

/// All columns of `runs` in their order, separated by commas. type: of the columns of scalars, for
/// making the table.
[[nodiscard]] std::string run_columns(std::string_view type = {});
[[nodiscard]] int num_run_columns();

/// Sets a row of `runs`, with its hash.
void set_run(Database::Statement& insert, const SweepRow& row);

/// Reads a row of `runs` whose hash is right; false if an index in it is out of range. row: the
/// planned row.
[[nodiscard]] bool read_run(const Database::Statement& stored, SweepRow& row);

/// The planned runs of a sweep, some of which have ended. Several rows may be the same scenario
/// with the same seed.
class PlannedRows {
  public:
    /// rows: outlives this.
    explicit PlannedRows(std::vector<SweepRow>& rows) : rows_{rows}, has_ended_(rows.size()) {
        for (std::size_t i = 0; i < rows.size(); ++i)
            first_.push_back(
                places_.try_emplace({rows[i].scenario_hash, rows[i].seed}, i).first->second);
    }

    /// Marks a run as ended and returns the first row planned for it; null if there is none.
    SweepRow* ended(std::uint64_t scenario_hash, std::int64_t seed) {
        const auto place = places_.find({scenario_hash, static_cast<std::uint64_t>(seed)});
        if (place == places_.end())
            return nullptr;
        has_ended_[place->second] = true;
        return &rows_[place->second];
    }

    /// The rows that have ended. Rows of one run all get the results of its first row.
    std::vector<SweepRow> take_ended() && {
        std::vector<SweepRow> out;
        std::vector<std::size_t> place(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (!has_ended_[first_[i]])
                continue;
            place[i] = out.size();
            if (first_[i] == i) {
                out.push_back(std::move(rows_[i]));
                continue;
            }
            SweepRow row = out[place[first_[i]]];
            row.number = rows_[i].number;
            row.scenario = rows_[i].scenario;
            row.values = std::move(rows_[i].values);
            out.push_back(std::move(row));
        }
        return out;
    }

  private:
    using Key = std::pair<std::uint64_t, std::uint64_t>; ///< a scenario's hash and a seed
    struct KeyHash {
        std::size_t operator()(const Key& key) const {
            return key.first ^ key.second * 0x9e3779b97f4a7c15U; // the first is a hash already
        }
    };

    std::vector<SweepRow>& rows_;
    std::vector<std::size_t> first_; ///< by row: the first row of the same run
    std::unordered_map<Key, std::size_t, KeyHash> places_;
    std::vector<bool> has_ended_; ///< by row; of a run's rows only the first counts
};

}} // namespace bursar::tools
