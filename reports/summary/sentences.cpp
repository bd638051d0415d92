#include "reports/summary/sentences.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reports/bill/burn_rate.hpp"
#include "reports/bill/leaf_sums.hpp"
#include "reports/summary/figures.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar {
namespace {

std::string percent(const std::optional<Fraction>& fraction) {
    return fraction ? grouped_text(fraction->scaled(1000), 1) + " %" : "-";
}

/// Whole dollars from ten dollars on, cents below.
std::string dollars(int128 cents) {
    return fmt::format("${}",
                       cents >= 1000 ? grouped_text(divide_half_up(cents, 100), 0)
                                     : grouped_text(cents, 2));
}

std::string count_text(std::uint64_t count) {
    return grouped_text(count, 0);
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
    const std::string fit = policy.capacity == "count"
                                ? "capacity count"
                                : fmt::format("placement {}", policy.placement);
    return fmt::format("queue {}, head {}, {}", policy.queue, policy.head, fit);
}

std::string goodput_sentence(const Result& result) {
    const Ratios all = ratios(leaf_sums(result));
    return fmt::format("goodput {} = allocation {} x runtime {} x program {}",
                       percent(all.goodput),
                       percent(all.allocation),
                       percent(all.runtime_goodput),
                       percent(all.program_goodput));
}

std::string jobs_sentence(const Result& result) {
    std::string out = fmt::format("{} jobs finished", count_text(result.num_finished));
    if (result.num_running_at_end > 0)
        out += fmt::format(", {} still running", count_text(result.num_running_at_end));
    if (result.num_queued_at_end > 0)
        out += fmt::format(", {} still queued", count_text(result.num_queued_at_end));
    if (result.metrics.jobs_finished != result.num_finished)
        out +=
            fmt::format(", {} of the finished measured", count_text(result.metrics.jobs_finished));
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
        out.push_back(fmt::format("{} p50 {}  p99 {}",
                                  title,
                                  span(values->p50_hundredths),
                                  span(values->p99_hundredths)));
    }
    return out;
}

std::string burn_sentence(const Result& result) {
    const auto burn = burn_rate(result);
    if (!burn)
        return "";
    return fmt::format("{}/h, p95 {}/h", dollars(burn->mean_cents), dollars(burn->p95_cents));
}

std::string run_sentence(const Result& result, const OutputOptions& options) {
    const std::string events = fmt::format("{} events", count_text(result.events));
    const std::string fingerprint = fmt::format("     fingerprint {:016x}", result.fingerprint);
    if (options.reproducible)
        return events + fingerprint;
    const int128 centiseconds = divide_half_up(result.run.wall.count(), 10'000'000);
    return fmt::format("{} in {} s{}", events, grouped_text(centiseconds, 2), fingerprint);
}

} // namespace bursar
