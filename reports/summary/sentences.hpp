#pragma once

#include <string>
#include <vector>

#include "reports/outputs/options.hpp"
#include "reports/result/result.hpp"

/// The lines of words and figures that the terminal and Markdown share. Names are as in the result:
/// each format escapes them.
namespace bursar { inline namespace reports {

/// "2017-10-02 00:01:55Z + 60 d", or "60 d" where the zero is not dated, and then, where the bill
/// does not cover all of the run, ", measured from 7 d to 50 d".
[[nodiscard]] std::string span_sentence(const Result& result);

/// "Period: 2017-10-02 00:01:55Z to 2017-12-01 00:01:55Z, 1,440.0000 h": what the bill covers.
[[nodiscard]] std::string period_sentence(const Result& result);

/// "queue srtf, head skip, placement topology"; "capacity count" instead where nodes do not matter.
[[nodiscard]] std::string policy_sentence(const Result& result);

/// "goodput 74.1 % = allocation 81.7 % x runtime 96.1 % x program 94.3 %", a dash for a ratio of
/// nothing.
[[nodiscard]] std::string goodput_sentence(const Result& result);

/// "68,051 jobs finished, 12 still running", how many still wait for others, and which of them are
/// measured where not all are.
[[nodiscard]] std::string jobs_sentence(const Result& result);

/// "wait mean 22 min, p50 0 s, p99 5.1 h" and the same for JCT, over the finished jobs, and in
/// brackets what they are at least with those unfinished; empty where no job was measured. Where
/// jobs were preempted, also the wait of those whose priority is above the lowest; where jobs
/// waited for others, how long.
[[nodiscard]] std::vector<std::string> wait_sentences(const Result& result);

/// "missed by 5 of the 10 jobs that have one"; empty where no measured job has one.
[[nodiscard]] std::string deadline_sentence(const Result& result);
/// "staged ahead for 3 starts, which saved 20.0 GPU-hours ..."; empty where nothing was staged.
[[nodiscard]] std::string staging_sentence(const Result& result);

/// "210 preemptions, 12 migrations, 220 restarts, 3 without progress"; empty where nothing was
/// preempted and nothing migrated.
[[nodiscard]] std::string preemption_sentence(const Result& result);

/// "placement: 12.5 GPU-hours waiting for it, 310.0 gained over the widest spread, 4.2 lost to the
/// narrowest"; empty where placement changes no speed, or nothing is known of it.
[[nodiscard]] std::string placement_sentence(const Result& result);

/// "cloud: p3.2xlarge us-east-1b spot of p3.json (1a2b3c4d), 2019-12-22 to 2020-02-20": where the
/// price of each pool comes from, but for those that the scenario states or works out by itself.
[[nodiscard]] std::vector<std::string> price_sentences(const Result& result);

/// "$457/h on average, p95 $512/h"; empty for an empty window.
[[nodiscard]] std::string burn_sentence(const Result& result);

/// How idle time is charged to the tenants, where rows are tenants; empty where it is not.
[[nodiscard]] std::string sharing_sentence(ShareIdle mode);

/// "spare, old (0 USD per GPU-hour)": the pools that cost nothing; empty where all cost something.
[[nodiscard]] std::string unpriced_sentence(const Result& result);

/// "136,126 events in 0.04 s, fingerprint 8f3a91c04d2e77b1", without the time where the output must
/// be reproducible or it is not known.
[[nodiscard]] std::string run_sentence(const Result& result, const OutputOptions& options);

/// "total 1,143.11, of it paid 1,100.00 and other 43.11, at 1.08 USD as of 2026-01-31 (ECB)"; of
/// the first of several seeds, which is said. Empty where bills are in dollars alone.
[[nodiscard]] std::string currency_sentence(const Result& result);

}} // namespace bursar::reports
