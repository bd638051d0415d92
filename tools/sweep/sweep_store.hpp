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

/// The results of a sweep in a database: every run that is planned, and a row per run that ended,
/// by hash of its scenario and seed. Rows are written as runs end, those of a twentieth of a second
/// in one transaction (GroupedWrites). May be asked by several threads at once.
///
/// Tables: `about` (name, value), `files` (path, hash), `planned` (number, point, scenario, seed,
/// and a column per path), `runs` (scenario, seed, status, message, fingerprint, end_ms, wall_s,
/// what owned and reserved capacity costs later, and a column per scalar, paid to the run's own
/// end), `notes` (kind, text); `results` is `planned` and `runs` joined, by number. Each row of a
/// table ends with `row_hash`, the hash of its other cells; a row with another hash is refused.
class SweepStore {
  public:
    /// Of a new sweep, or one that holds the same runs, or some of them: it goes on with the
    /// others. planned: with its files; its rows are all runs, with what is known before they are
    /// made. folder: empty for one in memory. Throws ReportError where the folder has another sweep
    /// in it: with a run that is not planned, of another version, of files that have changed.
    SweepStore(const std::filesystem::path& folder,
               const SweepTable& planned,
               Database::Open open = Database::Open::to_write);

    /// One that is there, to look at. place: its folder, or the database itself. Throws BadResult
    /// where it is none, or not one that this version reads.
    explicit SweepStore(const std::filesystem::path& place);

    /// Hashes of scenarios, with their seeds, that have a row.
    [[nodiscard]] std::set<std::pair<std::uint64_t, std::uint64_t>> present();

    /// Adds a row, with what its run rests on; one that is there already stays.
    void add(const SweepRow& row, std::span<const SweepNote> notes);

    /// Returns when all that was added will be there whatever becomes of the process. Throws what
    /// went wrong in writing it.
    void flush();

    /// The first run that both have a row of, and not the same; absent: there is none. How long
    /// runs took does not count. Precondition: both are of one sweep.
    [[nodiscard]] std::optional<std::uint64_t> first_conflict(const SweepStore& other);

    /// Adds all rows of another store with their notes, in one transaction; those that are there
    /// already stay. Precondition: as first_conflict().
    void add_all(const SweepStore& other);

    /// How many runs the sweep had that this one goes on with; absent: no others than it has now.
    [[nodiscard]] std::optional<std::uint64_t> extended_from() const { return extended_from_; }

    /// SweepTable::identity of the sweep.
    [[nodiscard]] std::uint64_t identity() const { return about_.identity; }

    /// Keeps what was asked of the sweep last.
    void keep_question(const SweepQuestion& asked);
    /// That question; the usual one where none was kept. Throws BadResult where this version does
    /// not know what it asks for.
    [[nodiscard]] SweepQuestion question();

    /// Every run of the sweep, with what is known before it is made.
    [[nodiscard]] SweepTable planned();

    /// The rows that are there, by number. Throws BadResult where the hash of a row is wrong, or an
    /// index is out of range.
    [[nodiscard]] SweepTable table();

  private:
    void make(const SweepTable& planned);
    void write_planned(const SweepTable& planned);
    void extend(const SweepTable& planned);
    [[nodiscard]] bool has_table(std::string_view name);
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
    std::unique_ptr<GroupedWrites> writes_; ///< behind the statements: it is ended first
    std::set<SweepNote> noted_;             ///< in the database already
};

}} // namespace bursar::tools
