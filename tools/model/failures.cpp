#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/reliability/failure_fit.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/faults/fault_log.hpp"

#include "reports/document/document.hpp"

#include "tools/command_line/messages.hpp"
#include "tools/model/subcommand.hpp"

namespace bursar { inline namespace tools {
namespace {

struct FailuresOptions {
    std::string file;
    std::optional<std::int64_t> nodes;
    std::optional<double> days;
};

OptionTable<FailuresOptions> failures_options() {
    using T = FailuresOptions;
    return option_table<T>(
               {{{"FILE", &T::file, argument()},
                 "log of faults, plain, .gz or .zst: node,start,end,kind, or InfiniteHBD's JSON"},
                {{"--nodes", &T::nodes, whole_in(up_to(1'000'000))},
                 "nodes that the log covers, those without a fault too (default: those it names)"},
                {{"--days", &T::days, real_in({0.001, 36500}, "N")},
                 "days that it covers; later faults are left out (default: up to its last event)"}})
        .required("FILE");
}

/// "20.4384 h": four decimals of the largest unit that fits.
std::string in_scenario(Duration time) {
    const auto ms = static_cast<double>(time.count());
    for (const auto& [unit, name] : {std::pair{hour, "h"}, {minute, "min"}, {second, "s"}})
        if (time >= unit)
            return fmt::format("{:.4f} {}", ms / static_cast<double>(unit.count()), name);
    return fmt::format("{} ms", time.count());
}

std::string_view name_of(RepairLaw law) {
    return law == RepairLaw::weibull ? "weibull" : "lognormal";
}

/// The key `failures` of a pool, line by line.
ReportTable yaml_table(const FailureModel& model) {
    const FailureComponent& node = model.components.front();
    ReportTable table{"yaml", "For a pool of a scenario", {{"line", "", ""}}, {}, true};
    const auto put = [&](std::string line) { table.rows.push_back({std::move(line)}); };
    put("failures:");
    put(fmt::format("  per_node_day: {:.6f}", node.per_node_hour * 24));
    put(fmt::format("  repair: {{law: {}, median: {}, mean: {}}}",
                    name_of(node.repair.law),
                    in_scenario(node.repair.median),
                    in_scenario(node.repair.mean)));
    if (model.infancy.factor > 1)
        put(fmt::format("  infancy: {{factor: {:.2f}, fades: {}}}",
                        model.infancy.factor,
                        in_scenario(model.infancy.fades)));
    if (model.node_spread > 0)
        put(fmt::format("  bad_nodes: {{spread: {:.4f}}}", model.node_spread));
    return table;
}

/// Nodes with a fault among `faults`.
std::int64_t num_faulty(const std::vector<LoggedFault>& faults) {
    std::set<std::uint32_t> nodes;
    for (const LoggedFault& fault : faults)
        nodes.insert(fault.node);
    return std::ssize(nodes);
}

Facts log_section(const FaultLog& log, const FailureFit& fit, std::int64_t nodes, Duration length) {
    return {"log",
            "The log",
            {{"faults",
              "faults",
              fit.log.faults,
              "",
              fmt::format("{} overlapping ones merged", log.num_merged)},
             {"nodes", "nodes", nodes, "", "that it covers"},
             {"nodes_named", "with a fault", num_faulty(log.faults), "", ""},
             {"length_s", "length", static_cast<double>(length.count()) / 1000, "s", ""},
             {"hash", "hash", fmt::format("{:016x}", log.hash), "", "XXH3 of the file"}}};
}

Facts model_section(const FailureFit& fit) {
    const FailureModel& model = fit.model;
    Facts section{"model",
                  "Fitted model",
                  {{"per_node_day",
                    "rate per node and day",
                    model.components.front().per_node_hour * 24,
                    "",
                    "in service, past infant mortality"},
                   {"mean_per_node_day",
                    "faults per node and day",
                    fit.log.per_node_day,
                    "",
                    "of the log, early faults and repairs included"},
                   {"repair_law",
                    "repair",
                    std::string{name_of(model.components.front().repair.law)},
                    "",
                    "nearest law with the log's median and mean"},
                   {"bad_nodes_spread",
                    "spread of the nodes' rates",
                    model.node_spread,
                    "",
                    model.node_spread > 0 ? "standard deviation over mean; gamma distributed"
                                          : "nodes fail alike, by Akaike's criterion"},
                   {"infancy_factor",
                    "infant mortality",
                    model.infancy.factor,
                    "",
                    model.infancy.factor > 1 ? "times the rate, right after a repair"
                                             : "none, by Akaike's criterion"}}};
    if (model.infancy.factor > 1)
        section.values.push_back({"infancy_fades_s",
                                  "which fades in",
                                  static_cast<double>(model.infancy.fades.count()) / 1000,
                                  "s",
                                  "63 % of it"});
    return section;
}

std::vector<Cell> cells_of(std::string name, const FailureFigures& figures) {
    return {std::move(name),
            figures.faults,
            1000 * figures.per_node_day,
            figures.down_share,
            figures.variance_over_mean,
            figures.again_in_a_day,
            figures.daily_variance_over_mean,
            figures.repair.median_s,
            figures.repair.mean_s,
            figures.repair.p90_s,
            figures.repair.p99_s};
}

ReportTable figures_table(const FailureFit& fit) {
    ReportTable table{"figures",
                      fmt::format("The log and the model, drawn with {} seeds", num_failure_seeds),
                      {{"of", "of", ""},
                       {"faults", "faults", ""},
                       {"per_1000_node_days", "per 1000 node-days", ""},
                       {"down_share", "time down", "fraction"},
                       {"variance_over_mean", "by node, variance/mean", ""},
                       {"again_in_a_day", "again in a day", "fraction"},
                       {"daily_variance_over_mean", "by day, variance/mean", ""},
                       {"repair_median_s", "repair, median", "s"},
                       {"repair_mean_s", "mean", "s"},
                       {"repair_p90_s", "p90", "s"},
                       {"repair_p99_s", "p99", "s"}},
                      {}};
    table.rows.push_back(cells_of("the log", fit.log));
    table.rows.push_back(cells_of("the model", fit.drawn));
    return table;
}

ReportTable repairs_table(const FailureFit& fit) {
    ReportTable table{"repairs",
                      "Repairs",
                      {{"law", "law", ""},
                       {"median_s", "median", "s"},
                       {"mean_s", "mean", "s"},
                       {"p90_s", "p90", "s"},
                       {"p99_s", "p99", "s"},
                       {"parameter", "parameter", ""},
                       {"distance", "off by at most", "fraction"}},
                      {}};
    const auto row =
        [&](std::string name, const RepairFigures& repair, double parameter, double off) {
            table.rows.push_back({std::move(name),
                                  repair.median_s,
                                  repair.mean_s,
                                  repair.p90_s,
                                  repair.p99_s,
                                  parameter,
                                  off});
        };
    row("the log", fit.log.repair, not_known, not_known);
    for (const FittedRepair& one : fit.repairs) {
        const LifeLaw law = *one.repair.beyond_least();
        const bool is_weibull = one.repair.law == RepairLaw::weibull;
        row(std::string{name_of(one.repair.law)},
            one.figures,
            is_weibull ? law.shape() : law.log_spread(),
            one.distance);
    }
    table.note = "parameter: the shape of weibull, the standard deviation of the logarithm of "
                 "lognormal. off by: the share of repairs below some time (Kolmogorov-Smirnov)";
    return table;
}

ReportTable kinds_table(const FaultLog& log) {
    ReportTable table{
        "kinds",
        "Faults by kind",
        {{"kind", "kind", ""}, {"faults", "faults", ""}, {"down_s", "mean repair", "s"}},
        {},
        true};
    std::vector<std::pair<std::int64_t, double>> sums(log.kinds.size());
    for (const LoggedFault& fault : log.faults) {
        ++sums[fault.kind].first;
        sums[fault.kind].second += static_cast<double>(fault.end_ms - fault.begin_ms) / 1000;
    }
    for (std::size_t kind = 0; kind < log.kinds.size(); ++kind)
        if (sums[kind].first > 0)
            table.rows.push_back({log.kinds[kind],
                                  sums[kind].first,
                                  sums[kind].second / static_cast<double>(sums[kind].first)});
    std::ranges::stable_sort(table.rows, [](const ReportRow& a, const ReportRow& b) {
        return std::get<std::int64_t>(a.cells[1]) > std::get<std::int64_t>(b.cells[1]);
    });
    return table;
}

/// Throws ScenarioError for a log that cannot be read, ModelError for one that cannot be fitted.
Document failures_answer(const FailuresOptions& options) {
    FaultLog log = read_fault_log(options.file);
    const auto named = static_cast<std::int64_t>(log.nodes.size());
    const std::int64_t nodes = options.nodes.value_or(named);
    if (nodes < named)
        fail_input("--nodes", mistake(fmt::format("the log names {} nodes", named)));
    const Duration length =
        options.days ? Duration{std::llround(*options.days * static_cast<double>(day.count()))}
                     : Duration{log.length_ms};
    const std::size_t num_later = std::erase_if(
        log.faults, [length](const LoggedFault& fault) { return fault.begin_ms > length.count(); });
    const FailureFit fit = fit_failures(log.faults, static_cast<std::uint32_t>(nodes), length);
    Document answer;
    answer.command = "model failures";
    answer.blocks = {figures_table(fit),
                     model_section(fit),
                     repairs_table(fit),
                     yaml_table(fit.model),
                     log_section(log, fit, nodes, length)};
    if (log.kinds.size() > 1)
        answer.add(kinds_table(log));
    if (!options.nodes)
        answer.warnings.push_back(
            fmt::format("--nodes is not given: {} nodes, all with a fault; nodes without one make "
                        "the rate lower",
                        named));
    if (fit.log.daily_variance_over_mean > 2 * fit.drawn.daily_variance_over_mean)
        answer.warnings.push_back(
            fmt::format("faults come in groups of days ({:.2f} times the variance of independent "
                        "ones, {:.2f} in "
                        "the model): what nodes share, such as racks, is not fitted",
                        fit.log.daily_variance_over_mean,
                        fit.drawn.daily_variance_over_mean));
    if (num_later > 0)
        answer.warnings.push_back(fmt::format(
            "left out: {} after the {:g} days of --days (the log's last event is at day "
            "{:.2f})",
            counted(num_later, "fault"),
            *options.days,
            static_cast<double>(log.length_ms) / static_cast<double>(day.count())));
    for (const Finding& note : log.notes)
        answer.warnings.push_back(note.text());
    answer.sources = {
        "models/FORMULAS.md section 6.6: maximum likelihood of rate, gamma factor of a "
        "node and infant mortality; repairs through median and mean"};
    return answer;
}

} // namespace

void add_failures_fit(Command model) {
    add_answer(model,
               "failures",
               "failure rates, bad nodes and repairs fitted to a log of faults",
               failures_options(),
               failures_answer);
}

}} // namespace bursar::tools
