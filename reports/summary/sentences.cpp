#include "reports/summary/sentences.hpp"

#include <algorithm>

#include "reports/bill/burn_rate.hpp"
#include "reports/bill/leaf_sums.hpp"
#include "reports/summary/figures.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/hex.hpp"
#include "reports/text/instant.hpp"

namespace bursar {
namespace {

std::string percent(const std::optional<Fraction>& fraction) {
    return fraction ? grouped_text(fraction->scaled(1000), 1) + " %" : "-";
}

/// Whole dollars from ten dollars on, cents below.
std::string dollars(int128 cents) {
    return "$" +
           (cents >= 1000 ? grouped_text(divide_half_up(cents, 100), 0) : grouped_text(cents, 2));
}

std::string counted(std::uint64_t count, std::string_view what) {
    return grouped_text(count, 0) + std::string{what};
}

} // namespace

std::string span_sentence(const Result& result) {
    const std::string span = span_text(result.end);
    if (!result.zero_utc_ms)
        return span;
    StringSink sink;
    InstantWriter{result.zero_utc_ms}.put(sink, Duration{});
    std::string instant = sink.text();
    std::replace(instant.begin(), instant.end(), 'T', ' ');
    return instant + " + " + span;
}

std::string policy_sentence(const Result& result) {
    const PolicyLabels& policy = result.run.policy;
    const std::string fit =
        policy.capacity == "count" ? "capacity count" : "placement " + policy.placement;
    return "queue " + policy.queue + ", head " + policy.head + ", " + fit;
}

std::string goodput_sentence(const Result& result) {
    const Ratios all = ratios(leaf_sums(result));
    return "goodput " + percent(all.goodput) + " = allocation " + percent(all.allocation) +
           " x runtime " + percent(all.runtime_goodput) + " x program " +
           percent(all.program_goodput);
}

std::string jobs_sentence(const Result& result) {
    std::string out = counted(result.num_finished, " jobs finished");
    if (result.num_running_at_end > 0)
        out += counted(result.num_running_at_end, " still running").insert(0, ", ");
    if (result.num_queued_at_end > 0)
        out += counted(result.num_queued_at_end, " still queued").insert(0, ", ");
    if (result.metrics.jobs_finished != result.num_finished)
        out += counted(result.metrics.jobs_finished, " of the finished measured").insert(0, ", ");
    return out;
}

std::vector<std::string> felt_sentences(const Result& result) {
    std::vector<std::string> out;
    for (const auto& [title, values] :
         {std::pair{"wait", &result.metrics.wait}, std::pair{"JCT", &result.metrics.jct}}) {
        if (values->count == 0)
            continue;
        const auto span = [](int128 hundredths) {
            return span_text(Duration{static_cast<std::int64_t>(divide_half_up(hundredths, 100))});
        };
        out.push_back(std::string{title} + " p50 " + span(values->p50_hundredths) + "  p99 " +
                      span(values->p99_hundredths));
    }
    return out;
}

std::string burn_sentence(const Result& result) {
    const auto burn = burn_rate(result);
    if (!burn)
        return "";
    return dollars(burn->mean_cents) + "/h, p95 " + dollars(burn->p95_cents) + "/h";
}

std::string run_sentence(const Result& result, const OutputOptions& options) {
    std::string out = counted(result.events, " events");
    if (!options.reproducible)
        out += " in " + grouped_text(divide_half_up(result.run.wall.count(), 10'000'000), 2) + " s";
    return out + "     fingerprint " + hex_text(result.fingerprint);
}

} // namespace bursar
