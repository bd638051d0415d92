#include "tools/sweep/sweep_store.hpp"

#include <algorithm>
#include <span>
#include <sstream>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "reports/errors/report_error.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/escape.hpp"

#include "tools/sweep/stored_runs.hpp"
#include "tools/sweep/stored_text.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::string_view format_version = "2";

/// Whether all runs of a sweep are in another one, with the same meaning.
bool is_part(const SweepTable& part, const SweepTable& whole) {
    if (part.version != whole.version || part.paths != whole.paths)
        return false;
    for (const auto& [path, hash] : part.files)
        if (const auto now = whole.files.find(path);
            now == whole.files.end() || now->second != hash)
            return false;
    std::set<std::pair<std::uint64_t, std::uint64_t>> runs;
    for (const SweepRow& row : whole.rows)
        runs.emplace(row.scenario_hash, row.seed);
    return std::ranges::all_of(part.rows, [&](const SweepRow& row) {
        return runs.contains({row.scenario_hash, row.seed});
    });
}

/// The columns of the paths of `planned`, each after a comma.
std::string path_columns(const SweepTable& table) {
    std::string out;
    for (const std::string& path : table.paths)
        out += ", " + sql_name(path);
    return out;
}

/// `number` question marks, separated by commas.
std::string marks(std::size_t number) {
    std::string out;
    for (std::size_t i = 0; i < number; ++i)
        out += i == 0 ? "?" : ", ?";
    return out;
}

} // namespace

SweepStore::SweepStore(const std::filesystem::path& folder,
                       const SweepTable& planned,
                       Database::Open open)
    : file_{folder.empty() ? ":memory:" : (folder / store_name).string()},
      database_{std::make_unique<Database>(file_, open)}, about_{planned} {
    about_.rows.clear();
    if (!has_table("about")) {
        make(planned);
    } else {
        check_format();
        if (about("identity") != hex_of(planned.identity))
            replace_plan(planned);
    }
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
    check_scalars();
}

void SweepStore::make(const SweepTable& planned) {
    const std::string paths = path_columns(planned);
    std::string results = run_columns();
    results.resize(results.rfind(", row_hash"));
    results.erase(0, results.find("status"));
    database_->run("BEGIN IMMEDIATE");
    database_->run(fmt::format(
        "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT, row_hash);"
        "CREATE TABLE files (path TEXT PRIMARY KEY, hash TEXT, row_hash);"
        "CREATE TABLE planned (number INTEGER PRIMARY KEY, point INTEGER, scenario TEXT, "
        "seed INTEGER{0}, row_hash);"
        "CREATE TABLE runs ({1}, PRIMARY KEY (scenario, seed));"
        "CREATE TABLE notes (kind INTEGER, text TEXT, row_hash, PRIMARY KEY (kind, text));"
        "CREATE VIEW results AS SELECT number, point, scenario, seed{0}, {2} FROM planned "
        "LEFT JOIN runs USING (scenario, seed) ORDER BY number",
        paths,
        run_columns("REAL"), // REAL stores a whole number in fewer bytes
        results));
    write_planned(planned);
    database_->run("COMMIT");
}

void SweepStore::note(std::string_view name, std::string_view value) {
    Database::Statement insert{*database_, "INSERT OR REPLACE INTO about VALUES (?, ?, ?)"};
    insert.set(1, name);
    insert.set(2, value);
    insert.set_row_hash(3);
    insert.run();
}

/// Replaces the plan; results stay.
void SweepStore::write_planned(const SweepTable& planned) {
    note("format", format_version);
    note("version", planned.version);
    note("scenario", planned.scenario_name);
    note("identity", hex_of(planned.identity));
    note("axes", axes_text(planned));
    if (planned.refined.grid_scenarios > 0)
        note("refined",
             fmt::format("{} {}", planned.refined.times, planned.refined.grid_scenarios));
    Database::Statement file{*database_, "INSERT OR REPLACE INTO files VALUES (?, ?, ?)"};
    for (const auto& [path, hash] : planned.files) {
        file.set(1, path);
        file.set(2, hex_of(hash));
        file.set_row_hash(3);
        file.run();
    }
    database_->run("DELETE FROM planned");
    const std::size_t num_columns = 5 + planned.paths.size();
    Database::Statement plan{*database_, "INSERT INTO planned VALUES (" + marks(num_columns) + ")"};
    for (const SweepRow& row : planned.rows) {
        int number = 0;
        plan.set(++number, static_cast<std::int64_t>(row.number));
        plan.set(++number, static_cast<std::int64_t>(row.scenario));
        plan.set(++number, hex_of(row.scenario_hash));
        plan.set(++number, static_cast<std::int64_t>(row.seed));
        for (const std::string& value : row.values)
            plan.set(++number, value);
        plan.set_row_hash(++number);
        plan.run();
    }
}

void SweepStore::extend(const SweepTable& planned) {
    const std::lock_guard lock{mutex_};
    writes_->commit();
    replace_plan(planned);
}

void SweepStore::replace_plan(const SweepTable& planned) {
    about_ = {};
    read_about();
    const SweepTable there = planned_rows();
    if (!is_part(there, planned))
        throw BadResult{
            there.version == planned.version
                ? fmt::format(
                      "{}: holds another sweep (other values, seeds or files), of which not "
                      "every run is one of these; give another --out, or remove the file",
                      terminal_text(file_))
                : fmt::format("{}: was made by bursar {}, and this is {}, whose runs may differ; "
                              "give another --out, or remove the file",
                              terminal_text(file_),
                              terminal_text(there.version),
                              planned.version)};
    database_->run("BEGIN IMMEDIATE");
    // An earlier sweep may have pruned other runs; this one decides anew.
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

void SweepStore::check_hash(const Database::Statement& row, std::string_view table) const {
    if (!row.has_right_hash())
        fail_damaged(fmt::format("a row of its table {} has another hash than its cells", table));
}

void SweepStore::fail_damaged(std::string_view why) const {
    throw BadResult{fmt::format("{}: is damaged: {}; sweep again", terminal_text(file_), why)};
}

std::string SweepStore::about(std::string_view name) {
    Database::Statement ask{*database_, "SELECT name, value, row_hash FROM about WHERE name = ?"};
    ask.set(1, name);
    std::string value;
    while (ask.step()) {
        check_hash(ask, "about");
        value = ask.text(1);
    }
    return value;
}

/// Before any other row is read: tables of another format have other columns.
void SweepStore::check_format() {
    std::string format;
    Database::Statement ask{*database_, "SELECT value FROM about WHERE name = 'format'"};
    while (ask.step())
        format = ask.text(0);
    if (format != format_version)
        throw BadResult{fmt::format("{}: its tables are of format {}, and this version of bursar "
                                    "reads format {} alone; give another --out, or the version "
                                    "that wrote it",
                                    terminal_text(file_),
                                    format.empty() ? "none" : terminal_text(format),
                                    format_version)};
}

void SweepStore::read_about() {
    check_format();
    // All rows: one with a changed name would look like a missing one.
    Database::Statement rows{*database_, "SELECT name, value, row_hash FROM about"};
    while (rows.step())
        check_hash(rows, "about");
    about_.version = about("version");
    about_.scenario_name = about("scenario");
    about_.identity = hash_from(about("identity"));
    about_.axes = axes_of(about("axes"));
    if (const std::string refined = about("refined"); !refined.empty()) {
        std::istringstream numbers{refined};
        if (!(numbers >> about_.refined.times >> about_.refined.grid_scenarios))
            fail_damaged("it does not say how it was refined");
    }
    Database::Statement columns{*database_,
                                "SELECT name FROM pragma_table_info('planned') "
                                "WHERE name <> 'row_hash' LIMIT -1 OFFSET 4"};
    while (columns.step())
        about_.paths.push_back(columns.text(0));
    std::size_t num_paths = 0;
    for (const std::vector<std::size_t>& axis : about_.axes)
        num_paths += axis.size();
    if (num_paths != about_.paths.size())
        fail_damaged("its axes are not of its paths");
    Database::Statement files{*database_, "SELECT path, hash, row_hash FROM files"};
    while (files.step()) {
        check_hash(files, "files");
        about_.files.emplace(files.text(0), hash_from(files.text(1)));
    }
    Database::Statement count{*database_, "SELECT count(*) FROM planned"};
    while (count.step())
        about_.num_planned = static_cast<std::uint64_t>(count.integer(0));
    if (about_.num_planned == 0)
        fail_damaged("it plans no run");
}

/// Another version of bursar may have other scalars.
void SweepStore::check_scalars() {
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
    const auto num_columns = static_cast<std::size_t>(num_run_columns());
    insert_ = std::make_unique<Database::Statement>(
        *database_, "INSERT OR IGNORE INTO runs VALUES (" + marks(num_columns) + ")");
    writes_ = std::make_unique<GroupedWrites>(*database_, mutex_);
}

void SweepStore::keep_question(const SweepQuestion& question) {
    const std::lock_guard lock{mutex_};
    writes_->begin();
    note("question", question_text(question));
}

SweepQuestion SweepStore::question() {
    const std::lock_guard lock{mutex_};
    const std::string text = about("question");
    if (text.empty())
        return usual_question();
    if (auto question = question_of(text))
        return std::move(*question);
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
                               "INSERT OR IGNORE INTO main.notes SELECT kind, text, row_hash FROM "
                               "other.notes;"
                               "INSERT OR IGNORE INTO main.runs SELECT {} FROM other.runs;"
                               "COMMIT;"
                               "DETACH other",
                               run_columns()));
}

SweepTable SweepStore::planned() {
    const std::lock_guard lock{mutex_};
    return planned_rows();
}

SweepTable SweepStore::planned_rows() {
    SweepTable table = about_;
    table.rows.reserve(table.num_planned);
    Database::Statement ask{
        *database_,
        fmt::format("SELECT number, point, scenario, seed{}, row_hash FROM planned ORDER BY number",
                    path_columns(table))};
    while (ask.step()) {
        check_hash(ask, "planned");
        const std::uint64_t number = table.rows.size();
        SweepRow& row = table.rows.emplace_back();
        row.number = static_cast<std::uint64_t>(ask.integer(0));
        row.scenario = static_cast<std::uint64_t>(ask.integer(1));
        if (row.number != number || row.scenario > number)
            fail_damaged(fmt::format("its table planned has no run {}", number));
        row.scenario_hash = hash_from(ask.text(2));
        row.seed = static_cast<std::uint64_t>(ask.integer(3));
        for (std::size_t i = 0; i < table.paths.size(); ++i)
            row.values.push_back(ask.text(static_cast<int>(4 + i)));
    }
    return table;
}

void SweepStore::insert(const SweepRow& row, std::span<const SweepNote> notes) {
    for (const SweepNote& note : notes) // before the row: each row in the database then has its
                                        // notes
        if (noted_.insert(note).second) {
            Database::Statement insert{*database_, "INSERT OR IGNORE INTO notes VALUES (?, ?, ?)"};
            insert.set(1, static_cast<std::int64_t>(note.kind));
            insert.set(2, note.text);
            insert.set_row_hash(3);
            insert.run();
        }
    set_run(*insert_, row);
    insert_->run();
}

SweepTable SweepStore::table() {
    const std::lock_guard lock{mutex_};
    SweepTable table = planned_rows();
    PlannedRows planned{table.rows};
    // In the order of the table: looking up each planned row by its hash takes longer.
    Database::Statement ask{*database_, fmt::format("SELECT {} FROM runs", run_columns())};
    while (ask.step()) {
        check_hash(ask, "runs");
        SweepRow* const row = planned.ended(hash_from(ask.text(0)), ask.integer(1));
        if (row == nullptr || !read_run(ask, *row))
            fail_damaged(
                "its table runs has a run that is not planned, or kept capacity of no kind");
    }
    table.rows = std::move(planned).take_ended();
    Database::Statement notes{*database_,
                              "SELECT kind, text, row_hash FROM notes ORDER BY kind, text"};
    while (notes.step()) {
        check_hash(notes, "notes");
        constexpr auto last_kind = static_cast<std::int64_t>(SweepNote::Kind::unmodelled);
        if (notes.integer(0) < 0 || notes.integer(0) > last_kind)
            fail_damaged("its table notes has an unknown kind");
        table.notes.push_back({static_cast<SweepNote::Kind>(notes.integer(0)), notes.text(1)});
    }
    return table;
}

}} // namespace bursar::tools
