#include "reports/bill/past_end.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/bill/leaf_sums.hpp"
#include "reports/rounding/printed_units.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::int64_t least_share = 20; ///< a part below 1 / this of the total has no warning

/// Cost of `nodes` nodes of a pool in the part of [begin, end) that the bill covers.
Money cost_between(const Result& result,
                   const ResultPool& pool,
                   std::int64_t nodes,
                   Duration begin,
                   Duration end) {
    const Duration first = std::max(begin, result.window_begin);
    const Duration last = std::max(first, std::min(end, result.window_end));
    return pool.price.cost(nodes * pool.gpus_per_node * slots_per_gpu, first, last);
}

/// How much of [begin, end) the bill covers.
Duration covered(const Result& result, Duration begin, Duration end) {
    return std::max(Duration{},
                    std::min(end, result.window_end) - std::max(begin, result.window_begin));
}

void add_name(std::vector<std::string>& names, const std::string& name) {
    if (std::ranges::find(names, name) == names.end())
        names.push_back(name);
}

void add_rest(const Result& result, PastEnd& out) {
    for (const ResultCell& cell : result.cells) {
        if (cell.leaf != Leaf::unavail_reserved_unlaunched || cell.cost == Money{})
            continue;
        const ResultPool& pool = result.pools[cell.pool];
        const bool has_term = pool.purchase == Purchase::reserved;
        (has_term ? out.rest_of_terms : out.rest_of_steps) += cell.cost;
        add_name(has_term ? out.term_pools : out.step_pools, pool.name);
    }
}

/// "63,000.00 USD of the total (45.0 %) "; empty where that is little.
std::string amount_of(Money part, Money total, std::string_view note) {
    if (part.count() * least_share <= total.count())
        return "";
    return fmt::format("{} USD of the total ({} %{}) ",
                       grouped_text(divide_half_up(part.count(), money_per_usd / 100), 2),
                       grouped_text(divide_half_up(part.count() * 1000, total.count()), 1),
                       note);
}

/// "pools p, q"
std::string pools_text(const std::vector<std::string>& names) {
    return fmt::format("{} {}", names.size() == 1 ? "pool" : "pools", fmt::join(names, ", "));
}

/// "the 2 h"
std::string time_text(const PastEnd& past, Duration time) {
    return fmt::format("the {}{}", span_text(time), past.covers_all ? "" : " that the bill covers");
}

std::string terms_text(const PastEnd& past) {
    return fmt::format("pays for the rest of terms of {} after the end of the run; `term: "
                       "amortised` charges the run's share",
                       pools_text(past.term_pools));
}

std::string steps_text(const PastEnd& past) {
    return fmt::format("pays for the rest of billing steps of {} after the end of the run or of a "
                       "node",
                       pools_text(past.step_pools));
}

std::string drain_text(const PastEnd& past) {
    return fmt::format("pays for capacity that is there whether needed or not, in {} from the last "
                       "submit to the end of the last job; `until: last-submit` ends the run "
                       "before",
                       time_text(past, past.drain_time));
}

/// A part of the bill and what it pays for.
struct EndPart {
    Money PastEnd::*cost;
    std::string (*text)(const PastEnd&);
};
constexpr std::array end_parts{EndPart{&PastEnd::rest_of_terms, terms_text},
                               EndPart{&PastEnd::rest_of_steps, steps_text},
                               EndPart{&PastEnd::drain, drain_text}};

constexpr std::array all_parts{
    &PastEnd::total, &PastEnd::rest_of_terms, &PastEnd::rest_of_steps, &PastEnd::drain};

/// Empty where the part is little. note: behind its share.
std::string warning_of(const EndPart& part, const PastEnd& past, std::string_view note) {
    const std::string amount = amount_of(past.*part.cost, past.total, note);
    return amount.empty() ? amount : amount + part.text(past);
}

} // namespace

PastEnd past_end(const Result& result, const RunEnds& ends) {
    PastEnd out;
    out.total = leaf_sums(result).paid_cost() + other_cost(result);
    add_rest(result, out);
    const bool has_drain = ends.last_submit && *ends.last_submit > Duration{};
    const Duration drain_from = has_drain ? std::min(result.end, *ends.last_submit) : result.end;
    out.covers_all = result.covers_run();
    out.drain_time = covered(result, drain_from, result.end);
    for (const PaidNodes& some : ends.standing)
        out.drain += cost_between(result,
                                  result.pools[some.pool],
                                  some.nodes,
                                  std::max(Duration{some.begin_ms}, drain_from),
                                  std::min(Duration{some.end_ms}, result.end));
    for (const ResultPool& pool : result.pools)
        if (!pool.has_range()) // of which some stand
            out.drain += cost_between(result, pool, pool.num_nodes, drain_from, result.end);
    return out;
}

PastEnd mean_of(std::span<const PastEnd> runs) {
    assert(!runs.empty());
    PastEnd mean;
    for (const PastEnd& run : runs) {
        for (const auto part : all_parts)
            mean.*part += run.*part;
        mean.drain_time += run.drain_time;
        mean.covers_all = mean.covers_all && run.covers_all;
        for (const auto names : {&PastEnd::term_pools, &PastEnd::step_pools})
            for (const std::string& pool : run.*names)
                add_name(mean.*names, pool);
    }
    const auto n = static_cast<std::int64_t>(runs.size());
    for (const auto part : all_parts)
        mean.*part = Money{divide_half_up((mean.*part).count(), n)};
    mean.drain_time = Duration{mean.drain_time.count() / n};
    return mean;
}

std::vector<std::string> past_end_warnings(const PastEnd& past) {
    return past_end_warnings(std::span{&past, 1}).front();
}

std::vector<std::vector<std::string>> past_end_warnings(std::span<const PastEnd> variants) {
    std::vector<std::vector<std::string>> out(variants.size());
    for (const EndPart& part : end_parts) {
        std::vector<std::string> texts;
        for (const PastEnd& past : variants)
            texts.push_back(warning_of(part, past, ""));
        if (std::ranges::all_of(texts, [&](const auto& text) { return text == texts.front(); })) {
            for (std::size_t i = 0; i < texts.size() && !texts[i].empty(); ++i)
                out[i].push_back(texts[i]);
            continue;
        }
        const auto largest = std::ranges::max_element(variants, {}, [&](const PastEnd& past) {
            return static_cast<double>((past.*part.cost).count()) /
                   static_cast<double>(std::max<int128>(past.total.count(), 1));
        });
        out[static_cast<std::size_t>(largest - variants.begin())].push_back(
            warning_of(part, *largest, ", the largest share of all variants"));
    }
    return out;
}

}} // namespace bursar::reports
