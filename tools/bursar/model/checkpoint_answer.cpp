#include <algorithm>

#include <fmt/format.h>

#include "models/reliability/expected_efficiency.hpp"
#include "models/reliability/interruption.hpp"
#include "models/reliability/renewal_efficiency.hpp"

#include "tools/bursar/model/checkpoint_study.hpp"

namespace bursar {
namespace {

/// One way to choose the interval.
struct Candidate {
    std::string rule;
    Seconds interval;
};

std::optional<RenewalRun> renewal_of(const CheckpointStudy& study) {
    if (!study.survival)
        return std::nullopt;
    return RenewalRun{
        study.run.checkpoint, study.run.restart, *study.survival, RestartPhase::within_life};
}

/// The rules' intervals, none below what the background write leaves; the best for this study last
/// but for the user's own.
std::vector<Candidate> candidates(const CheckpointStudy& study) {
    const CheckpointedRun& run = study.run;
    const Seconds least = least_interval(run.checkpoint);
    const Seconds dump = lost_per_checkpoint(run.checkpoint);
    std::vector<Candidate> all{{"young", std::max(least, young_interval(dump, run.mtbf))},
                               {"daly", std::max(least, daly_interval(dump, run.mtbf))},
                               {"optimum", optimal_interval(run)}};
    if (const auto renewal = renewal_of(study))
        all.push_back({"survival-optimum", optimal_interval(*renewal)});
    if (study.interval)
        all.push_back({"given", *study.interval});
    return all;
}

AnswerTable interval_table(const CheckpointStudy& study, const std::vector<Candidate>& all) {
    AnswerTable table{"intervals",
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
    const std::optional<RenewalRun> renewal = renewal_of(study);
    if (renewal)
        table.columns.push_back({"survival_efficiency", "useful, by curve", "fraction"});
    for (const Candidate& candidate : all) {
        const TimeShares shares = expected_shares(study.run, candidate.interval);
        table.rows.push_back({candidate.rule,
                              candidate.interval.count(),
                              shares.useful,
                              shares.dump,
                              shares.interference,
                              shares.rework,
                              shares.restart,
                              first_order_waste(study.run, candidate.interval).total(),
                              (1 - shares.useful) * seconds_per_day});
        if (renewal)
            table.rows.back().push_back(renewal_efficiency(*renewal, candidate.interval));
    }
    return table;
}

AnswerSection checkpoint_section(const CheckpointStudy& study) {
    const CheckpointCost& cost = study.run.checkpoint;
    AnswerSection section{
        "checkpoint",
        "Checkpoint",
        {{"mode", "mode", study.mode, "", ""},
         {"parameters", "parameters", study.parameters.value, "", study.parameters.source},
         {"bytes_per_parameter",
          "bytes per parameter",
          study.bytes_per_parameter.value,
          "B",
          study.bytes_per_parameter.source},
         {"size_b", "full size", study.size.count(), "B", "parameters · bytes per parameter"}}};
    if (study.saved != study.size)
        section.values.push_back({"saved_b",
                                  "mean size",
                                  study.saved.count(),
                                  "B",
                                  "full · (1 + (n-1) · changed) / n, one of n full"});
    section.values.insert(
        section.values.end(),
        {{"write_b_s", "write rate", study.write.value, "B/s", study.write.source},
         {"blocking_s", "blocking", cost.blocking.count(), "s", study.blocking_source}});
    if (cost.background > Seconds{})
        section.values.insert(
            section.values.end(),
            {{"background_s", "background", cost.background.count(), "s", "size / write rate"},
             {"interference",
              "slowed meanwhile",
              cost.interference,
              "fraction",
              study.interference_source},
             {"least_interval_s",
              "least interval",
              least_interval(cost).count(),
              "s",
              "background - blocking: one write ends before the next begins"}});
    return section;
}

AnswerSection failure_section(const CheckpointStudy& study) {
    AnswerSection section{
        "failures",
        "Failures",
        {{"nodes", "nodes", study.nodes, "", ""},
         {"mtbf_s", "mean time between", study.mtbf.value, "s", study.mtbf.source}}};
    if (study.rates)
        section.values.insert(section.values.end(),
                              {{"job_failures_per_day",
                                "of the job, per day",
                                study.rates->per_job_day,
                                "",
                                "whatever its size"},
                               {"node_failures_per_1000_days",
                                "of 1000 nodes, per day",
                                study.rates->per_node_day * 1000,
                                "",
                                ""}});
    section.values.push_back(
        {"restart_s", "restart", study.run.restart.count(), "s", study.restart_source});
    if (study.load > Seconds{})
        section.values.push_back(
            {"load_s", "of which loading", study.load.count(), "s", "bytes read / read rate"});
    return section;
}

AnswerSection notice_section(const CheckpointStudy& study, const Candidate& chosen) {
    const Seconds interval = chosen.interval;
    const NoticedInterruption told = noticed_interruption(study.run, interval, *study.notice);
    const NoticedInterruption sudden = noticed_interruption(study.run, interval, Seconds{});
    return {"notice",
            fmt::format("Interruption with notice, interval: {}", chosen.rule),
            {{"notice_s", "notice", study.notice->count(), "s", "the command line"},
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

AnswerSection storage_section(const CheckpointStudy& study, const Candidate& chosen) {
    const TimeShares shares = expected_shares(study.run, chosen.interval);
    const StoredRun run{.length = study.length,
                        .between = chosen.interval / (shares.useful + shares.interference),
                        .restores = study.length / study.run.mtbf};
    const StorageCost cost = run_storage_cost(study.retention, run);
    const std::string cold = study.retention.cold ? study.retention.cold->name : "deleted";
    const auto usd = [](const char* key, const char* label, double value, std::string note) {
        return AnswerValue{key, label, value, "USD", std::move(note)};
    };
    return {"storage",
            fmt::format("Keeping checkpoints, interval: {}", chosen.rule),
            {{"run_s", "run", study.length.count(), "s", ""},
             {"checkpoints", "kept checkpoints", cost.checkpoints, "", "of the run"},
             {"keep", "in the first tier", study.retention.keep, "", study.retention.hot.source},
             {"older",
              "older ones",
              cold,
              "",
              study.retention.cold ? study.retention.cold->source : ""},
             usd("month_usd",
                 "per month, at the end",
                 monthly_usd(study.retention, cost.checkpoints),
                 "size · (k · p_hot + (n - k) · p_cold)"),
             usd("run_usd", "of the run", cost.total(), ""),
             usd("hot_usd", "holding, first tier", cost.hot, ""),
             usd("cold_usd", "holding, older", cost.cold, ""),
             usd("requests_usd", "requests", cost.requests, "one object per writer"),
             usd("retrieval_usd", "retrieval", cost.retrieval, "one load per failure"),
             usd("egress_usd_per_copy",
                 "one copy out of the cloud",
                 egress_usd(study.retention.hot, study.size),
                 "egress and retrieval of one full checkpoint")}};
}

AnswerSection energy_section(const CheckpointStudy& study, const Candidate& chosen) {
    const EnergyStudy& energy = *study.energy;
    const TimeShares shares = expected_shares(study.run, chosen.interval);
    const double idle = shares.dump + shares.restart;
    const Power busy_power = power_at(energy.gpu, energy.utilization);
    const Power mean = busy_power * (1 - idle) + energy.gpu.idle * idle;
    const Energy total = facility_power(study.gpus, mean, energy.site) * study.length;
    const Energy useful =
        facility_power(study.gpus, busy_power, energy.site) * study.length * shares.useful;
    AnswerSection section{
        "energy",
        fmt::format("Energy of the run, interval: {}", chosen.rule),
        {{"region", "region", energy.region, "", ""},
         {"gpu_tdp_w", "TDP of a GPU", energy.gpu.full.count(), "W", energy.gpu_source},
         {"utilization", "busy share", energy.utilization, "fraction", energy.utilization_source},
         {"gpu_w",
          "mean power of a GPU",
          mean.count(),
          "W",
          "idle during dumps and restarts at 15 % of TDP [unverified]"},
         {"node_overhead",
          "nodes on top",
          energy.site.node_overhead,
          "fraction",
          "20 - 35 %, models/FORMULAS.md section 8 [unverified]"},
         {"pue", "PUE", energy.site.pue, "", energy.pue_source},
         {"energy_j", "energy", total.count(), "J", "GPUs · power · (1 + nodes) · PUE · time"},
         {"lost_energy_j", "of which lost", (total - useful).count(), "J", "all but useful time"},
         {"intensity_g_kwh",
          "carbon intensity",
          energy.intensity.count(),
          "g/kWh",
          energy.intensity_source},
         {"co2e_g", "emissions", (total * energy.intensity).count(), "g", "CO2e; without embodied"},
         {"lost_co2e_g", "of which lost", ((total - useful) * energy.intensity).count(), "g", ""}}};
    if (energy.usd_per_kwh)
        section.values.push_back({"energy_usd",
                                  "electricity",
                                  energy_usd(total, *energy.usd_per_kwh),
                                  "USD",
                                  fmt::format("at {:g} USD/kWh", *energy.usd_per_kwh)});
    return section;
}

std::vector<std::string> warnings(const CheckpointStudy& study, const std::vector<Candidate>& all) {
    std::vector<std::string> found = study.warnings;
    const CheckpointedRun& run = study.run;
    const double useful = expected_shares(run, all.back().interval).useful;
    if (useful < 0.5)
        found.push_back(fmt::format(
            "only {:.3g} % of the time is useful: save faster, restart faster or use fewer nodes",
            100 * useful));
    if (run.checkpoint.blocking >= run.mtbf)
        found.push_back("a dump takes longer than the mean time between failures");
    if (least_interval(run.checkpoint) >
        daly_interval(lost_per_checkpoint(run.checkpoint), run.mtbf))
        found.push_back("the background write is too slow for Young's and Daly's intervals: they "
                        "are stretched until it is over");
    if (study.length < run.mtbf)
        found.push_back("the run is shorter than the mean time between failures");
    return found;
}

} // namespace

Answer answer_to(const CheckpointStudy& study) {
    const std::vector<Candidate> all = candidates(study);
    const Candidate& chosen = all.back(); // the user's own, else the optimum
    Answer answer;
    answer.command = "model checkpoint";
    answer.sections = {checkpoint_section(study), failure_section(study)};
    if (study.notice)
        answer.sections.push_back(notice_section(study, chosen));
    answer.sections.push_back(storage_section(study, chosen));
    if (study.energy)
        answer.sections.push_back(energy_section(study, chosen));
    answer.tables = {interval_table(study, all)};
    answer.tables_first = true;
    answer.warnings = warnings(study, all);
    answer.sources = {"Young, CACM 17(9), 1974: sqrt(2 lost M); lost = blocking + interference · "
                      "background, M = mean time between",
                      "Daly, FGCS 22, 2006: equation 37, and the exact shares of time"};
    if (study.survival)
        answer.sources.push_back(
            "renewal sum over the survival curve: models/FORMULAS.md section 6.3");
    return answer;
}

} // namespace bursar
