#include <algorithm>

#include <fmt/format.h>

#include "models/reliability/expected_efficiency.hpp"
#include "models/reliability/interruption.hpp"
#include "models/reliability/renewal_efficiency.hpp"

#include "tools/model/checkpoint.hpp"

namespace bursar { inline namespace tools {
namespace {

/// One way to choose the interval.
struct Candidate {
    std::string rule;
    Seconds interval;
};

std::optional<RenewalRun> renewal_of(const CheckpointQuestion& question) {
    if (!question.survival)
        return std::nullopt;
    return RenewalRun{question.run.checkpoint,
                      question.run.restart,
                      *question.survival,
                      RestartPhase::within_life};
}

/// The intervals of all rules, at least the shortest that background writes allow. The last is the
/// user's own, else the optimum.
std::vector<Candidate> candidates(const CheckpointQuestion& question) {
    const CheckpointedRun& run = question.run;
    const Seconds shortest = min_interval(run.checkpoint);
    const Seconds dump = lost_per_checkpoint(run.checkpoint);
    std::vector<Candidate> all{{"young", std::max(shortest, young_interval(dump, run.mtbf))},
                               {"daly", std::max(shortest, daly_interval(dump, run.mtbf))},
                               {"optimum", optimal_interval(run)}};
    if (const auto renewal = renewal_of(question))
        all.push_back({"survival-optimum", optimal_interval(*renewal)});
    if (question.interval)
        all.push_back({"given", *question.interval});
    return all;
}

ReportTable interval_table(const CheckpointQuestion& question, const std::vector<Candidate>& all) {
    ReportTable table{"intervals",
                      "Compute time between checkpoints",
                      {{"rule", "rule", ""},
                       {"interval_s", "interval", "s"},
                       {"efficiency", "useful", "fraction"},
                       {"dump", "dump", "fraction"},
                       {"interference", "slowed", "fraction"},
                       {"rework", "rework", "fraction"},
                       {"restart", "restart", "fraction"},
                       {"first_order_waste", "waste, 1st order", "fraction"},
                       {"overhead_s_per_day", "lost per day", "s"}},
                      {}};
    const std::optional<RenewalRun> renewal = renewal_of(question);
    if (renewal)
        table.columns.push_back({"survival_efficiency", "useful, by curve", "fraction"});
    for (const Candidate& candidate : all) {
        const TimeShares shares = expected_shares(question.run, candidate.interval);
        table.rows.push_back({candidate.rule,
                              candidate.interval.count(),
                              shares.useful,
                              shares.dump,
                              shares.interference,
                              shares.rework,
                              shares.restart,
                              first_order_waste(question.run, candidate.interval).total(),
                              (1 - shares.useful) * seconds_per_day});
        if (renewal)
            table.rows.back().cells.push_back(renewal_efficiency(*renewal, candidate.interval));
    }
    return table;
}

Facts checkpoint_section(const CheckpointQuestion& question) {
    const CheckpointCost& cost = question.run.checkpoint;
    Facts section{
        "checkpoint",
        "Checkpoint",
        {{"mode", "mode", question.mode, "", ""},
         {"parameters", "parameters", question.parameters.value, "", question.parameters.source},
         {"bytes_per_parameter",
          "bytes per parameter",
          question.bytes_per_parameter.value,
          "B",
          question.bytes_per_parameter.source},
         {"size_b", "full size", question.size.count(), "B", "parameters · bytes per parameter"}}};
    if (question.saved != question.size)
        section.values.push_back({"saved_b",
                                  "mean size",
                                  question.saved.count(),
                                  "B",
                                  "full · (1 + (n-1) · changed) / n, one of n full"});
    section.values.insert(
        section.values.end(),
        {{"write_b_s", "write rate", question.write.value, "B/s", question.write.source},
         {"blocking_s", "blocking", cost.blocking.count(), "s", question.blocking_source}});
    if (cost.background > Seconds{})
        section.values.insert(
            section.values.end(),
            {{"background_s", "background", cost.background.count(), "s", "size / write rate"},
             {"interference",
              "slowed meanwhile",
              cost.interference,
              "fraction",
              question.interference_source},
             {"min_interval_s",
              "shortest interval",
              min_interval(cost).count(),
              "s",
              "background - blocking: one write ends before the next begins"}});
    return section;
}

Facts failure_section(const CheckpointQuestion& question) {
    Facts section{
        "failures",
        "Failures",
        {{"nodes", "nodes", question.nodes, "", ""},
         {"mtbf_s", "mean time between", question.mtbf.value, "s", question.mtbf.source}}};
    if (question.rates)
        section.values.insert(section.values.end(),
                              {{"job_failures_per_day",
                                "of the job, per day",
                                question.rates->per_job_day,
                                "",
                                "whatever its size"},
                               {"node_failures_per_1000_days",
                                "of 1000 nodes, per day",
                                question.rates->per_node_day * 1000,
                                "",
                                ""}});
    for (const MeasuredJobs& jobs : question.measured)
        section.values.push_back({fmt::format("measured_mtbf_{:g}_gpus_s", jobs.gpus),
                                  fmt::format("measured, {:g} GPUs", jobs.gpus),
                                  jobs.hours * seconds_per_hour,
                                  "s",
                                  "of whole jobs, in the same source; users, schedulers and bad "
                                  "nodes interrupt them, too"});
    section.values.push_back(
        {"restart_s", "restart", question.run.restart.count(), "s", question.restart_source});
    if (question.load > Seconds{})
        section.values.push_back(
            {"load_s", "of which loading", question.load.count(), "s", "bytes read / read rate"});
    return section;
}

ReportTable rates_table(const CheckpointQuestion& question) {
    ReportTable table{"rates",
                      fmt::format("Published failure rates, at {:g} node{}",
                                  question.nodes,
                                  question.nodes == 1 ? "" : "s"),
                      {{"name", "rates", ""},
                       {"era", "of", ""},
                       {"mtbf_s", "mean time between", "s"},
                       {"size_seen", "such jobs seen", ""}},
                      {}};
    for (const RateAtSize& one : question.other_rates)
        table.rows.push_back({one.name, one.era, one.mtbf.count(), one.seen ? "yes" : "no"});
    return table;
}

ReportTable restarts_table(const CheckpointQuestion& question) {
    ReportTable table{"restarts",
                      "Restarts by era, at the best interval of each",
                      {{"name", "restart", ""},
                       {"era", "of", ""},
                       {"from_nodes", "from nodes", ""},
                       {"restart_s", "takes", "s"},
                       {"efficiency", "useful", "fraction"}},
                      {}};
    for (const NamedRestart& one : question.restarts) {
        CheckpointedRun run = question.run;
        run.restart = Seconds{60 * one.minutes} + question.load;
        table.rows.push_back({one.name,
                              one.era,
                              one.from_nodes,
                              run.restart.count(),
                              expected_shares(run, optimal_interval(run)).useful});
    }
    return table;
}

Facts notice_section(const CheckpointQuestion& question, const Candidate& chosen) {
    const Seconds interval = chosen.interval;
    const NoticedInterruption told = noticed_interruption(question.run, interval, *question.notice);
    const NoticedInterruption sudden = noticed_interruption(question.run, interval, Seconds{});
    return {"notice",
            fmt::format("Interruption with notice, interval: {}", chosen.rule),
            {{"notice_s", "notice", question.notice->count(), "s", "the command line"},
             {"saved",
              "enough to save",
              told.saved,
              "",
              "notice >= blocking + background: models/FORMULAS.md section 6.3"},
             {"cost_s",
              "cost of one",
              told.cost.count(),
              "s",
              "no progress: dump or lost work, restart"},
             {"lost_work_s", "of which lost work", told.lost_work.count(), "s", ""},
             {"sudden_cost_s", "cost without notice", sudden.cost.count(), "s", ""}}};
}

Facts storage_section(const CheckpointQuestion& question, const Candidate& chosen) {
    const TimeShares shares = expected_shares(question.run, chosen.interval);
    const StoredRun run{.length = question.length,
                        .between = time_between_checkpoints(shares, chosen.interval),
                        .restores = question.length / question.run.mtbf};
    const StorageCost cost = run_storage_cost(question.retention, run);
    const std::string cold = question.retention.cold ? question.retention.cold->name : "deleted";
    const auto usd = [](const char* key, const char* label, double value, std::string note) {
        return Fact{key, label, value, "USD", std::move(note)};
    };
    return {
        "storage",
        fmt::format("Keeping checkpoints, interval: {}", chosen.rule),
        {{"run_s", "run", question.length.count(), "s", ""},
         {"checkpoints", "kept checkpoints", cost.checkpoints, "", "of the run"},
         {"keep", "in the first tier", question.retention.keep, "", question.retention.hot.source},
         {"older",
          "older ones",
          cold,
          "",
          question.retention.cold ? question.retention.cold->source : ""},
         usd("month_usd",
             "per month, at the end",
             monthly_usd(question.retention, cost.checkpoints),
             "size · (k · p_hot + (n - k) · p_cold)"),
         usd("run_usd", "of the run", cost.total(), ""),
         usd("hot_usd", "holding, first tier", cost.hot, ""),
         usd("cold_usd", "holding, older", cost.cold, ""),
         usd("requests_usd", "requests", cost.requests, "one object per writer"),
         usd("retrieval_usd", "retrieval", cost.retrieval, "one load per failure"),
         usd("egress_usd_per_copy",
             "one copy out of the cloud",
             egress_usd(question.retention.hot, question.size),
             "egress and retrieval of one full checkpoint")}};
}

Facts energy_section(const CheckpointQuestion& question, const Candidate& chosen) {
    const EnergyQuestion& energy = *question.energy;
    const RunPower& power = energy.power;
    const TimeShares shares = expected_shares(question.run, chosen.interval);
    const RunEnergy run =
        run_energy(power, {question.length, shares.useful, shares.dump + shares.restart});
    Facts section{
        "energy",
        fmt::format("Energy of the run, interval: {}", chosen.rule),
        {{"region", "region", energy.region, "", ""},
         {"gpu_tdp_w", "TDP of a GPU", power.gpu.full.count(), "W", energy.gpu_source},
         {"utilization", "busy share", power.utilization, "fraction", energy.utilization_source},
         {"gpu_w",
          "mean power of a GPU",
          run.gpu.count(),
          "W",
          "idle during dumps and restarts at 15 % of TDP [unverified]"},
         {"node_overhead",
          "nodes on top",
          power.site.node_overhead,
          "fraction",
          energy.node_source},
         {"pue", "PUE", power.site.pue, "", energy.pue_source},
         {"energy_j", "energy", run.total.count(), "J", "GPUs · power · (1 + nodes) · PUE · time"},
         {"lost_energy_j", "of which lost", run.lost().count(), "J", "all but useful time"},
         {"intensity_g_kwh",
          "carbon intensity",
          energy.intensity.count(),
          "g/kWh",
          energy.intensity_source},
         {"co2e_g",
          "emissions",
          (run.total * energy.intensity).count(),
          "g",
          "CO2e; without embodied"},
         {"lost_co2e_g", "of which lost", (run.lost() * energy.intensity).count(), "g", ""}}};
    if (energy.usd_per_kwh)
        section.values.push_back({"energy_usd",
                                  "electricity",
                                  energy_usd(run.total, *energy.usd_per_kwh),
                                  "USD",
                                  fmt::format("at {:g} USD/kWh", *energy.usd_per_kwh)});
    return section;
}

std::vector<std::string> warnings(const CheckpointQuestion& question,
                                  const std::vector<Candidate>& all) {
    std::vector<std::string> found = question.warnings;
    const CheckpointedRun& run = question.run;
    const double useful = expected_shares(run, all.back().interval).useful;
    if (useful < 0.5)
        found.push_back(fmt::format(
            "only {:.3g} % of the time is useful: save faster, restart faster or use fewer nodes",
            100 * useful));
    if (run.checkpoint.blocking >= run.mtbf)
        found.push_back("a dump takes longer than the mean time between failures");
    if (min_interval(run.checkpoint) > daly_interval(lost_per_checkpoint(run.checkpoint), run.mtbf))
        found.push_back("the background write is too slow for Young's and Daly's intervals: longer "
                        "ones are used");
    if (question.length < run.mtbf)
        found.push_back("the run is shorter than the mean time between failures");
    return found;
}

} // namespace

Document checkpoint_answer(const CheckpointQuestion& question) {
    const std::vector<Candidate> all = candidates(question);
    const Candidate& chosen = all.back(); // the user's own, else the optimum
    Document answer;
    answer.command = "model checkpoint";
    answer.blocks = {
        interval_table(question, all), checkpoint_section(question), failure_section(question)};
    if (!question.other_rates.empty())
        answer.add(rates_table(question));
    if (!question.restarts.empty())
        answer.add(restarts_table(question));
    if (question.notice)
        answer.add(notice_section(question, chosen));
    answer.add(storage_section(question, chosen));
    if (question.energy)
        answer.add(energy_section(question, chosen));
    answer.warnings = warnings(question, all);
    answer.sources = {"Young, CACM 17(9), 1974: sqrt(2 lost M); lost = blocking + interference · "
                      "background, M = mean time between",
                      "Daly, FGCS 22, 2006: equation 37, and the exact shares of time"};
    for (const NamedRestart& one : question.restarts)
        answer.sources.push_back(fmt::format("{}: {}", one.name, one.source));
    if (question.survival)
        answer.sources.push_back(
            "renewal sum over the survival curve: models/FORMULAS.md section 6.3");
    return answer;
}

}} // namespace bursar::tools
