#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/keys/workload/workload_keys.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/text/csv_header.hpp"
#include "scenarios/traces/text/csv_reader.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t max_rungs = 32;

std::optional<double> number_of(std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && rest == end && !text.empty() && std::isfinite(value)
               ? std::optional{value}
               : std::nullopt;
}

/// A share above 0 and below 1: "1/3", 0.6, "60 %".
class ShareRule {
  public:
    using value_type = double;

    /// has_zero: 0 is allowed, too.
    explicit ShareRule(bool has_zero = false) : has_zero_{has_zero} {}

    [[nodiscard]] std::optional<double> read(const Reader& at) const {
        constexpr std::string_view what = "a share such as 1/3, 0.6 or 60 %";
        if (at.node().kind != NodeKind::scalar)
            return at.expected(what);
        const std::string_view text = at.node().text;
        std::optional<double> share;
        if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
            const auto above = number_of(trimmed(text.substr(0, slash)));
            const auto below = number_of(trimmed(text.substr(slash + 1)));
            if (above && below && *below > 0)
                share = *above / *below;
        } else if (text.ends_with('%')) {
            if (const auto percent = number_of(trimmed(text.substr(0, text.size() - 1))))
                share = *percent / 100;
        } else {
            share = number_of(text);
        }
        if (!share)
            return at.mistake(in_quotes(text) + " is no share", fmt::format("expected {}", what));
        if (!(*share < 1) || *share < 0 || (*share == 0 && !has_zero_))
            return at.mistake(in_quotes(text) + " is out of range",
                              has_zero_ ? "0 or above, and below 1" : "above 0 and below 1");
        return share;
    }
    [[nodiscard]] Schema schema() const {
        return {{"anyOf",
                 {Schema{{"type", "number"},
                         {has_zero_ ? "minimum" : "exclusiveMinimum", 0},
                         {"exclusiveMaximum", 1}},
                  Schema{{"type", "string"},
                         {"pattern", "^ *[0-9.]+ *(%|/ *[0-9.]+)$"},
                         {"examples", {"1/3", "60 %"}}}}}};
    }

  private:
    bool has_zero_;
};

/// Reads a csv file with the columns trial, at and value.
class CurveReader {
  public:
    explicit CurveReader(const std::string& path) {
        curves_.file = path;
        FileSource stored{path};
        const std::string packed = whole_text(stored, path);
        curves_.hash = XXH3_64bits(packed.data(), packed.size());
        const auto plain = decompressed(path, std::make_unique<MemorySource>(packed));
        const std::string text = whole_text(*plain, path);
        MemorySource bytes{text};
        CsvReader csv{bytes, path};
        const CsvHeader header{csv};
        const std::array<std::size_t, 3> fields{
            header.require("trial"), header.require("at"), header.require("value")};
        while (const TextRow* row = csv.next())
            add(*row, fields, header.names().size());
        for (std::size_t trial = 0; trial < curves_.points.size(); ++trial)
            if (curves_.points[trial].empty())
                fail_input(path, mistake(fmt::format("no row is of trial {}", trial + 1)));
    }

    TrialCurves take() { return std::move(curves_); }

  private:
    [[noreturn]] void
    fail(const TextRow& row, std::size_t field, std::string problem, std::string why) const {
        const FieldPlace place = row.place(field);
        fail_input({curves_.file, place.line, place.column},
                   {},
                   mistake(std::move(problem), std::move(why)));
    }

    double number(const TextRow& row, std::size_t field, double min, double max) const {
        const std::string_view text = trimmed(row.fields[field]);
        const auto value = number_of(text);
        if (!value || *value < min || *value > max)
            fail(row,
                 field,
                 in_quotes(text) + (value ? " is out of range" : " is no number"),
                 fmt::format("{} to {}", min, max));
        return *value;
    }

    void add(const TextRow& row, const std::array<std::size_t, 3>& fields, std::size_t num) {
        if (!row.problem.empty())
            fail_input({curves_.file, row.problem_place.line, row.problem_place.column},
                       {},
                       mistake(std::string{row.problem}));
        if (row.fields.size() != num)
            fail(
                row, row.fields.size(), "the row has another number of fields than the header", {});
        const double trial = number(row, fields[0], 1, static_cast<double>(max_trials));
        if (trial != std::floor(trial))
            fail(row, fields[0], "a trial has a whole number", "from 1");
        const double at = number(row, fields[1], 0, 1);
        const double value = number(row, fields[2], -1e300, 1e300);
        const auto index = static_cast<std::size_t>(trial) - 1;
        curves_.points.resize(std::max(curves_.points.size(), index + 1));
        std::vector<TrialCurves::Point>& points = curves_.points[index];
        if (!points.empty() && points.back().at >= at)
            fail(row, fields[1], "is not after the row before of this trial", "in order of `at`");
        points.push_back({at, value});
    }

    TrialCurves curves_;
};

/// `metric`: "drawn", or a file; null for the first.
struct MetricRule {
    using value_type = std::shared_ptr<const TrialCurves>;

    [[nodiscard]] std::optional<value_type> read(const Reader& at) const {
        if (at.node().kind == NodeKind::scalar && at.node().text == "drawn")
            return value_type{};
        const auto path = file().read(at);
        if (!path)
            return std::nullopt;
        try {
            auto curves = std::make_shared<const TrialCurves>(CurveReader{*path}.take());
            at.names_content(curves->hash);
            return curves;
        } catch (const ScenarioError& error) {
            return at.mistakes_in_file(error);
        }
    }
    [[nodiscard]] Schema schema() const { return file().schema(); }
};

Table<TrialsSpec::Plateau> plateau_keys() {
    using Plateau = TrialsSpec::Plateau;
    return table<Plateau>({
        {required("patience", &Plateau::patience, whole_number(1, 1'000'000)),
         "reports in a row without improvement after which a trial stops"},
        {required("min_delta", &Plateau::min_delta, NumberRule{0, Bound::included, 1e12}),
         "a metric that is lower by this or less is no improvement"},
        {optional("every", &Plateau::every, ShareRule{}),
         "share of the run from one report of a drawn metric to the next; default 5 %; a file "
         "has its reports"},
    });
}

Table<TrialsSpec::Early> early_keys() {
    using Early = TrialsSpec::Early;
    return table<Early>({
        {required("share", &Early::share, ShareRule{true}),
         "share of the trials that stops, the worst then: 1/6; 0 stops none"},
        {required("at", &Early::at, ShareRule{}), "after which share of their run: 60 %"},
    });
}

Table<TrialsSpec::Smoke> smoke_keys() {
    using Smoke = TrialsSpec::Smoke;
    return table<Smoke>({
        {required("duration", &Smoke::duration, duration(Zero::refused)), "of each test"},
        {optional("gpus", &Smoke::gpus, whole_number(1, (std::int64_t{1} << 24) - 1)),
         "GPUs of a test; default: those of the trial"},
        {required("fail", &Smoke::fail, ShareRule{true}),
         "share of the trials that fail it, which do not run, drawn"},
    });
}

void check_rungs(const Reader& at, const TrialsSpec& spec, const KeysRead& read) {
    if (!read.good("rungs") || !read.good("keep"))
        return;
    if (spec.rungs.empty()) {
        if (at.find("keep"))
            at.mistake_at("keep", "has no effect without rungs");
        return;
    }
    if (!std::ranges::is_sorted(spec.rungs, std::less_equal{}))
        at.mistake_at("rungs", "rungs must rise", "the last is the full run");
    if (spec.rungs.size() > max_rungs)
        at.mistake_at("rungs", fmt::format("{} rungs", spec.rungs.size()), "at most 32");
    if (!spec.keep)
        at.mistake("rungs need `keep`", "the share of a rung's trials that go on");
}

/// `rule`: how a group with rungs is halved. asha is refused with the reason.
Key<TrialsSpec> rule_key() {
    static const NameRule names{{"halving", "asha"}};
    return {{"rule",
             Presence::optional,
             [](const Reader& at, TrialsSpec&) {
                 if (at.node().kind == NodeKind::scalar && at.node().text == "asha")
                     at.mistake("asha is not modelled",
                                "it promotes trials as their results arrive, so that the schedule "
                                "decides which ones go on",
                                "`halving` waits for all trials of a rung");
                 else
                     static_cast<void>(names.read(at));
             },
             [] { return names.schema(); }},
            "with rungs: successive halving, each of which waits for all trials of the one before; "
            "default halving"};
}

void check_curves(const Reader& at, const TrialsSpec& spec, std::int64_t count) {
    if (!spec.curves)
        return;
    const auto& points = spec.curves->points;
    const std::string has = fmt::format("{} has those of {}", spec.curves->file, points.size());
    if (static_cast<std::int64_t>(points.size()) != count)
        return at.mistake_at("metric", fmt::format("{} trials need as many metrics", count), has);
    const double first = !spec.rungs.empty() ? spec.rungs.front() / spec.rungs.back()
                         : spec.early        ? spec.early->at
                                             : 1;
    for (std::size_t trial = 0; trial < points.size(); ++trial)
        if (points[trial].front().at > first + 1e-9)
            return at.mistake_at(
                "metric",
                fmt::format("trial {} has no value up to its first decision", trial + 1),
                fmt::format(
                    "{} of its run, and its first row is at {}", first, points[trial].front().at));
}

} // namespace

Table<TrialsSpec> trials_keys() {
    return table<TrialsSpec>(
               std::vector<Key<TrialsSpec>>{
                   {optional("rungs",
                             &TrialsSpec::rungs,
                             list_of(NumberRule{0, Bound::excluded, 1e12}, 2)),
                    "successive halving: how much a trial has run when it is compared with the "
                    "others, in any unit; the last is the full run: [1, 3, 9]"},
                   {optional("keep", &TrialsSpec::keep, ShareRule{}),
                    "share of a rung's trials that go on, the best by their metric, rounded down "
                    "and at least one: 1/3"},
                   rule_key(),
                   {optional("plateau", &TrialsSpec::plateau, plateau_keys()),
                    "a trial stops when its metric no longer improves"},
                   {optional("early", &TrialsSpec::early, early_keys()),
                    "a share of the trials stops after a share of its run"},
                   {optional("smoke", &TrialsSpec::smoke, smoke_keys()),
                    "a short test of each trial before its run"},
                   {optional("metric", &TrialsSpec::curves, MetricRule{}),
                    "drawn, with the run's seed, or a csv file with the columns trial (from 1), at "
                    "(share of the full run) and value; lower is better; default drawn"},
               })
        .at_most_one_of({"rungs", "plateau", "early"})
        .check([](const Reader& at, TrialsSpec& spec, const KeysRead& read) {
            check_rungs(at, spec, read);
            if (!at.find("rungs") && !at.find("plateau") && !at.find("early") && !at.find("smoke"))
                at.mistake("no trial is ever stopped", "name rungs, plateau, early or smoke");
            if (at.find("rule") && !at.find("rungs"))
                at.mistake_at("rule", "has no effect without rungs");
            if (spec.curves && spec.plateau && spec.plateau->every)
                at.find("plateau")->mistake_at("every", "has no effect", "the file has reports");
            if (spec.curves && !at.find("rungs") && !at.find("plateau") && !at.find("early"))
                at.mistake_at("metric", "has no effect", "which smoke tests fail is drawn");
        });
}

void check_trials(const Reader& at, const ListedJob& job) {
    if (!job.trials)
        return;
    const Reader trials = *at.find("trials");
    if (!job.duration)
        at.mistake("trials need `duration`", "the run time of a trial that is not stopped");
    if (job.count > max_trials)
        at.mistake_at(
            "trials", fmt::format("{} trials", job.count), fmt::format("at most {}", max_trials));
    check_curves(trials, *job.trials, job.count);
}

}} // namespace bursar::scenarios
