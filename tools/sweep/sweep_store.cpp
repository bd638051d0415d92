#include "tools/sweep/sweep_store.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "reports/errors/report_error.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/escape.hpp"

#include "tools/sweep/planned_rows.hpp"
#include "tools/sweep/store_columns.hpp"
#include "tools/sweep/stored_row.hpp"
#include "tools/sweep/stored_text.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::string_view format_version = "1";

/// Whether all runs of a sweep are runs of another, too, and mean the same there.
bool is_part(const SweepTable& part, const SweepTable& whole) {
    if (part.version != whole.version || part.paths != whole.paths || !part.files || !whole.files)
        return false;
    for (const auto& [path, hash] : *part.files)
        if (const auto now = whole.files->find(path);
            now == whole.files->end() || now->second != hash)
            return false;
    std::set<std::pair<std::uint64_t, std::uint64_t>> runs;
    for (const SweepRow& row : whole.rows)
        runs.emplace(row.scenario_hash, row.seed);
    return std::ranges::all_of(part.rows, [&](const SweepRow& row) {
        return runs.contains({row.scenario_hash, row.seed});
    });
}

/// Seeds are of 64 bits, of which the highest is the sign there.
std::int64_t any_integer(const StoredRow& stored, int column) {
    using Limits = std::numeric_limits<std::int64_t>;
    return stored.integer(column, Limits::min(), Limits::max());
}

} // namespace

SweepStore::SweepStore(const std::filesystem::path& folder,
                       const SweepTable& planned,
                       Database::Open open)
    : file_{folder.empty() ? ":memory:" : (folder / store_name).string()},
      database_{std::make_unique<Database>(file_, open)}, about_{planned} {
    about_.rows.clear();
    if (!has_table("about"))
        make(planned);
    else if (about("identity") != hex_of(planned.identity))
        extend(planned);
    prepare();
}

SweepStore::SweepStore(const std::filesystem::path& place) {
    std::error_code error;
    const bool is_file = std::filesystem::is_regular_file(place, error);
    file_ = (is_file ? place : place / store_name).string();
    if (!std::filesystem::exists(file_, error))
        throw BadResult{fmt::format("{}: no sweep is in this folder (it has no {})",
                                    terminal_text(place.string()),
                                    store_name)};
    database_ = std::make_unique<Database>(file_, Database::Open::to_read);
    if (!has_table("about"))
        throw BadResult{terminal_text(file_) + ": is a database, but of no sweep of bursar"};
    read_about();
    check_tables();
}

void SweepStore::make(const SweepTable& planned) {
    const std::string paths = path_columns(planned);
    const std::string scalars = scalar_columns("REAL"); // of which whole numbers take less room
    database_->run("BEGIN IMMEDIATE");
    database_->run(fmt::format(
        "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT);"
        "CREATE TABLE files (path TEXT PRIMARY KEY, hash TEXT);"
        "CREATE TABLE planned (number INTEGER PRIMARY KEY, point INTEGER, scenario TEXT, "
        "seed INTEGER{});"
        "CREATE TABLE runs ({}{}, PRIMARY KEY (scenario, seed));"
        "CREATE TABLE notes (kind INTEGER, text TEXT, PRIMARY KEY (kind, text));"
        "CREATE VIEW results AS SELECT * FROM planned LEFT JOIN runs USING (scenario, seed) "
        "ORDER BY number",
        paths,
        own_columns,
        scalars));
    write_planned(planned);
    database_->run("COMMIT");
}

void SweepStore::note(std::string_view name, std::string_view value) {
    Database::Statement tell{*database_, "INSERT OR REPLACE INTO about VALUES (?, ?)"};
    tell.set(1, name);
    tell.set(2, value);
    tell.run();
}

/// What is to be run, in place of what was; what has been run stays.
void SweepStore::write_planned(const SweepTable& planned) {
    note("format", format_version);
    note("version", planned.version);
    note("scenario", planned.scenario_name);
    note("identity", hex_of(planned.identity));
    note("axes", axes_text(planned));
    database_->run("DELETE FROM planned");
    if (planned.files)
        write_files(*planned.files);
    else // of a database that did not note them yet
        database_->run("DROP TABLE files");
    std::string marks;
    for (std::size_t i = 0; i < planned.paths.size(); ++i)
        marks += ", ?";
    Database::Statement plan{*database_, "INSERT INTO planned VALUES (?, ?, ?, ?" + marks + ")"};
    for (const SweepRow& row : planned.rows) {
        plan.set(1, static_cast<std::int64_t>(row.number));
        plan.set(2, static_cast<std::int64_t>(row.scenario));
        plan.set(3, hex_of(row.scenario_hash));
        plan.set(4, static_cast<std::int64_t>(row.seed));
        for (std::size_t i = 0; i < row.values.size(); ++i)
            plan.set(static_cast<int>(5 + i), row.values[i]);
        plan.run();
    }
}

void SweepStore::write_files(const std::map<std::string, std::uint64_t>& files) {
    Database::Statement insert{*database_, "INSERT OR REPLACE INTO files VALUES (?, ?)"};
    for (const auto& [path, hash] : files) {
        insert.set(1, path);
        insert.set(2, hex_of(hash));
        insert.run();
    }
}

void SweepStore::extend(const SweepTable& planned) {
    about_ = {};
    read_about();
    const SweepTable there = planned_rows();
    if (!is_part(there, planned))
        throw ReportError{fmt::format(
            "{}: holds another sweep (other values, seeds, files or version of bursar), of which "
            "not every run is one of these; give another --out, or remove the file",
            terminal_text(file_))};
    database_->run("BEGIN IMMEDIATE");
    // What was not simulated was not by the sweep that it was; this one says anew.
    database_->run("DELETE FROM runs WHERE status = 'pruned'");
    write_planned(planned);
    database_->run("COMMIT");
    about_ = planned;
    about_.rows.clear();
    extended_from_ = there.num_planned;
}

bool SweepStore::has_table(std::string_view name) {
    Database::Statement ask{*database_,
                            "SELECT 1 FROM sqlite_master WHERE name = ? AND type = 'table'"};
    ask.set(1, name);
    return ask.step();
}

std::string SweepStore::about(std::string_view name) {
    Database::Statement ask{*database_, "SELECT value FROM about WHERE name = ?"};
    ask.set(1, name);
    std::string value;
    while (ask.step())
        value = ask.text(0);
    return value;
}

void SweepStore::read_about() {
    if (const std::string format = about("format"); format != format_version)
        throw BadResult{fmt::format("{}: its tables are of format {}, and this version of bursar "
                                    "reads format {} alone; give another --out, or the version "
                                    "that wrote it",
                                    terminal_text(file_),
                                    format.empty() ? "none" : terminal_text(format),
                                    format_version)};
    about_.version = about("version");
    about_.scenario_name = about("scenario");
    about_.identity = hash_from(about("identity"));
    about_.axes = axes_of(about("axes"));
    Database::Statement columns{*database_, "SELECT name FROM pragma_table_info('planned')"};
    for (int i = 0; columns.step(); ++i)
        if (i >= 4)
            about_.paths.push_back(columns.text(0));
    std::size_t num_paths = 0;
    for (const std::vector<std::size_t>& axis : about_.axes)
        num_paths += axis.size();
    if (num_paths != about_.paths.size())
        throw BadResult{terminal_text(file_) + ": is damaged: its axes are not of its paths"};
    if (has_table("files")) {
        about_.files.emplace();
        Database::Statement files{*database_, "SELECT path, hash FROM files"};
        while (files.step())
            about_.files->emplace(files.text(0), hash_from(files.text(1)));
    }
    Database::Statement count{*database_, "SELECT count(*) FROM planned"};
    while (count.step())
        about_.num_planned = static_cast<std::uint64_t>(count.integer(0));
}

/// Older versions, and newer ones, may have other scalars.
void SweepStore::check_tables() {
    for (const std::string_view name : {"planned", "runs", "notes"})
        if (!has_table(name))
            throw BadResult{
                fmt::format("{}: is damaged: it has no table {}", terminal_text(file_), name)};
    if (about_.num_planned == 0)
        throw BadResult{terminal_text(file_) + ": is damaged: it plans no run"};
    std::set<std::string> columns;
    Database::Statement ask{*database_, "SELECT name FROM pragma_table_info('runs')"};
    while (ask.step())
        columns.insert(ask.text(0));
    for (const ScalarRow& scalar : scalar_table())
        if (!columns.contains(scalar.name))
            throw BadResult{
                fmt::format("{}: bursar {} swept it, which did not know {}; sweep again, "
                            "or use that version",
                            terminal_text(file_),
                            terminal_text(about_.version),
                            scalar.name)};
}

void SweepStore::prepare() {
    std::string marks;
    for (std::size_t i = 1; i < num_own_columns + scalar_table().size(); ++i)
        marks += ", ?";
    insert_ = std::make_unique<Database::Statement>(
        *database_, "INSERT OR IGNORE INTO runs VALUES (?" + marks + ")");
    writes_ = std::make_unique<GroupedWrites>(*database_, mutex_);
}

void SweepStore::keep_question(const SweepQuestion& asked) {
    const std::lock_guard lock{mutex_};
    writes_->begin();
    note("question", question_text(asked));
}

SweepQuestion SweepStore::question() {
    const std::lock_guard lock{mutex_};
    const std::string text = about("question");
    if (text.empty())
        return usual_question();
    if (auto asked = question_of(text))
        return std::move(*asked);
    throw BadResult{
        fmt::format("{}: bursar {} swept it, and this version does not know all that it "
                    "was asked: {}",
                    terminal_text(file_),
                    terminal_text(about_.version),
                    terminal_text(text))};
}

std::set<std::pair<std::uint64_t, std::uint64_t>> SweepStore::present() {
    const std::lock_guard lock{mutex_};
    std::set<std::pair<std::uint64_t, std::uint64_t>> out;
    Database::Statement ask{*database_, "SELECT scenario, seed FROM runs"};
    while (ask.step())
        out.emplace(hash_from(ask.text(0)), static_cast<std::uint64_t>(ask.integer(1)));
    return out;
}

void SweepStore::add(const SweepRow& row, std::span<const SweepNote> notes) {
    const std::lock_guard lock{mutex_};
    writes_->begin();
    insert(row, notes);
}

void SweepStore::flush() {
    const std::lock_guard lock{mutex_};
    writes_->commit();
}

void SweepStore::attach(const SweepStore& other) {
    Database::Statement statement{*database_, "ATTACH ? AS other"};
    statement.set(1, other.file_);
    statement.run();
}

std::optional<std::uint64_t> SweepStore::first_conflict(const SweepStore& other) {
    const std::lock_guard lock{mutex_};
    std::string differs = "a.fingerprint IS NOT b.fingerprint OR a.message IS NOT b.message";
    for (const ScalarRow& scalar : scalar_table())
        differs += fmt::format(" OR a.{0} IS NOT b.{0}", sql_name(scalar.name));
    attach(other);
    std::optional<std::uint64_t> found;
    {
        Database::Statement ask{*database_,
                                fmt::format("SELECT number FROM main.runs AS a "
                                            "JOIN other.runs AS b USING (scenario, seed) "
                                            "JOIN main.planned USING (scenario, seed) "
                                            "WHERE {} ORDER BY number LIMIT 1",
                                            differs)};
        while (ask.step())
            found = static_cast<std::uint64_t>(ask.integer(0));
    }
    database_->run("DETACH other");
    return found;
}

void SweepStore::add_all(const SweepStore& other) {
    const std::lock_guard lock{mutex_};
    writes_->commit();
    attach(other);
    database_->run(fmt::format("BEGIN IMMEDIATE;"
                               "INSERT OR IGNORE INTO main.notes SELECT kind, text FROM "
                               "other.notes;"
                               "INSERT OR IGNORE INTO main.runs SELECT {}{} FROM other.runs;"
                               "COMMIT;"
                               "DETACH other",
                               own_columns,
                               scalar_columns()));
}

SweepTable SweepStore::planned() {
    const std::lock_guard lock{mutex_};
    return planned_rows();
}

SweepTable SweepStore::planned_rows() {
    SweepTable table = about_;
    table.rows.reserve(table.num_planned);
    Database::Statement ask{*database_,
                            fmt::format("SELECT number, point, scenario, seed{} FROM planned "
                                        "ORDER BY number",
                                        path_columns(table))};
    const StoredRow stored{ask, "planned", file_};
    std::int64_t scenario = -1;
    while (ask.step()) {
        const auto number = static_cast<std::int64_t>(table.rows.size());
        SweepRow& row = table.rows.emplace_back();
        row.number = static_cast<std::uint64_t>(stored.integer(0, number, number));
        scenario = stored.integer(1, std::max<std::int64_t>(scenario, 0), scenario + 1);
        row.scenario = static_cast<std::uint64_t>(scenario);
        row.scenario_hash = stored.hash(2);
        row.seed = static_cast<std::uint64_t>(any_integer(stored, 3));
        for (std::size_t i = 0; i < table.paths.size(); ++i)
            row.values.push_back(stored.text(static_cast<int>(4 + i)));
    }
    return table;
}

void SweepStore::insert(const SweepRow& row, std::span<const SweepNote> notes) {
    for (const SweepNote& note : notes) // before the row: no row is there without them
        if (noted_.insert(note).second) {
            Database::Statement tell{*database_, "INSERT OR IGNORE INTO notes VALUES (?, ?)"};
            tell.set(1, static_cast<std::int64_t>(note.kind));
            tell.set(2, note.text);
            tell.run();
        }
    insert_->set(1, hex_of(row.scenario_hash));
    insert_->set(2, static_cast<std::int64_t>(row.seed));
    const std::string_view without = row.pruned.empty() ? "failed" : "pruned";
    insert_->set(3, row.has_result() ? "ok" : without);
    insert_->set(4, row.pruned.empty() ? row.failure : row.pruned);
    insert_->set(5, hex_of(row.fingerprint));
    insert_->set(6, row.end.count());
    insert_->set(7, std::optional{row.wall_s});
    insert_->set(8, std::int64_t{row.ends_by_itself ? 1 : 0});
    insert_->set(9, row.measured_to ? row.measured_to->count() : std::int64_t{-1});
    insert_->set(10, kept_text(row.kept));
    insert_->set(11, row.warnings);
    for (std::size_t i = 0; i < scalar_table().size(); ++i)
        insert_->set(static_cast<int>(num_own_columns + 1 + i),
                     row.scalars.empty() ? std::optional<double>{} : row.scalars[i]);
    insert_->run();
}

SweepTable SweepStore::table() {
    const std::lock_guard lock{mutex_};
    SweepTable table = planned_rows();
    PlannedRows planned{table.rows};
    // In the order in which they lie there: to look up each planned one by its hash takes longer.
    Database::Statement ask{*database_,
                            fmt::format("SELECT {}{} FROM runs", own_columns, scalar_columns())};
    const StoredRow stored{ask, "runs", file_};
    while (ask.step()) {
        SweepRow* const row = planned.ended(stored.hash(0), any_integer(stored, 1));
        if (row == nullptr) // is of no run that is planned
            stored.fail(0);
        read_run(stored, *row);
    }
    table.rows = std::move(planned).take_ended();
    Database::Statement notes{*database_, "SELECT kind, text FROM notes ORDER BY kind, text"};
    const StoredRow stored_note{notes, "notes", file_};
    constexpr auto last_kind = static_cast<std::int64_t>(SweepNote::Kind::unmodelled);
    while (notes.step())
        table.notes.push_back({static_cast<SweepNote::Kind>(stored_note.integer(0, 0, last_kind)),
                               stored_note.text(1)});
    return table;
}

}} // namespace bursar::tools
