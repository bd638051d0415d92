#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "reports/sweep/sweep_answer.hpp"
#include "reports/sweep/sweep_table.hpp"

#include "tools/sweep/database.hpp"

namespace bursar { inline namespace tools {

inline constexpr std::string_view store_name = "sweep.sqlite";

/// The results of a sweep in a database: all planned runs, and a row per ended run, by hash of its
/// scenario and seed. Rows are written as runs end, those of a twentieth of a second in one
/// transaction (GroupedWrites). Thread-safe.
///
/// Tables: `about` (name, value), `files` (path, hash), `planned` (number, point, scenario, seed,
/// and a column per path), `runs` (scenario, seed, status, message, fingerprint, end_ms, wall_s,
/// what owned and reserved capacity costs later, and a column per scalar, paid to the run's own
/// end), `notes` (kind, text); `results` is `planned` and `runs` joined, by number. Each row of a
/// table ends with `row_hash`, the hash of its other cells; a row with another hash is refused.
class SweepStore {
  public:
    /// Opens the store for a new sweep, or for one that has the same runs or some of them, and
    /// continues it. planned: with its files; its rows are all runs. folder: empty for a store in
    /// memory. Throws ReportError if the folder has another sweep: with a run that is not planned,
    /// of another version, or of files that have changed.
    SweepStore(const std::filesystem::path& folder,
               const SweepTable& planned,
               Database::Open open = Database::Open::to_write);

    /// Opens an existing store for reading. place: its folder, or the database. Throws BadResult if
    /// it is no store, or one that this version cannot read.
    explicit SweepStore(const std::filesystem::path& place);

    /// Continues as a sweep that has all runs of this one, and more. Throws as the constructor.
    void extend(const SweepTable& planned);

    /// The runs that have a row, by hash of the scenario and seed.
    [[nodiscard]] std::set<std::pair<std::uint64_t, std::uint64_t>> present();

    /// Adds a row with its notes; an existing row stays.
    void add(const SweepRow& row, std::span<const SweepNote> notes);

    /// Returns when all added rows are safe on disk. Throws the error of an earlier write.
    void flush();

    /// The first run with different rows in both; absent: there is none. The time that runs took
    /// does not count. Precondition: both are of one sweep.
    [[nodiscard]] std::optional<std::uint64_t> first_conflict(const SweepStore& other);

    /// Adds all rows of another store with their notes, in one transaction; existing rows stay.
    /// Precondition: as first_conflict().
    void add_all(const SweepStore& other);

    /// Number of runs that the sweep had before this one extended it; absent: it was not extended.
    [[nodiscard]] std::optional<std::uint64_t> extended_from() const { return extended_from_; }

    /// SweepTable::identity of the sweep.
    [[nodiscard]] std::uint64_t identity() const { return about_.identity; }

    /// Stores the last question about the sweep.
    void keep_question(const SweepQuestion& question);
    /// That question; the default one if none is stored. Throws BadResult if this version does not
    /// know its metrics.
    [[nodiscard]] SweepQuestion question();

    /// Every planned run.
    [[nodiscard]] SweepTable planned();

    /// The rows of ended runs, by number. Throws BadResult if the hash of a row is wrong, or an
    /// index is out of range.
    [[nodiscard]] SweepTable table();

  private:
    void make(const SweepTable& planned);
    void write_planned(const SweepTable& planned);
    void replace_plan(const SweepTable& planned);
    [[nodiscard]] bool has_table(std::string_view name);
    void check_format();
    void read_about();
    void check_scalars();
    void check_hash(const Database::Statement& row, std::string_view table) const;
    [[noreturn]] void fail_damaged(std::string_view why) const;
    void prepare();
    void note(std::string_view name, std::string_view value);
    [[nodiscard]] std::string about(std::string_view name);
    void insert(const SweepRow& row, std::span<const SweepNote> notes);
    void attach(const SweepStore& other);
    [[nodiscard]] SweepTable planned_rows();

    std::mutex mutex_;
    std::string file_;
    std::unique_ptr<Database> database_;
    SweepTable about_; ///< without rows
    std::optional<std::uint64_t> extended_from_;
    std::unique_ptr<Database::Statement> insert_;
    std::unique_ptr<GroupedWrites> writes_; ///< behind the statements: destroyed first
    std::set<SweepNote> noted_;             ///< in the database already
};

}} // namespace bursar::tools
