#include "scenarios/traces/trace_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {
namespace {

template <class T>
void keep_in(std::vector<T>& column, const std::vector<std::uint8_t>& keep) {
    if (column.empty())
        return;
    std::size_t kept = 0;
    for (std::size_t row = 0; row < keep.size(); ++row)
        if (keep[row] != 0)
            column[kept++] = column[row];
    column.resize(kept);
}

void keep_names(Trace& trace, const std::vector<std::uint8_t>& keep) {
    if (trace.name_end.empty())
        return;
    std::string names;
    std::vector<std::uint64_t> ends;
    for (std::size_t row = 0; row < keep.size(); ++row) {
        if (keep[row] == 0)
            continue;
        names += trace.name(row);
        ends.push_back(names.size());
    }
    trace.names = std::move(names);
    trace.name_end = std::move(ends);
}

/// Renumbers `column` so that `names` holds only what is used, in the order of its first use; the
/// first `num_fixed` names stay in front.
template <class Name>
void drop_unused(std::vector<std::uint16_t>& column,
                 std::vector<Name>& names,
                 std::size_t num_fixed) {
    if (column.empty())
        return;
    std::vector<std::optional<std::uint16_t>> renumbered(names.size());
    std::vector<Name> used;
    const auto use = [&](std::size_t number) {
        if (!renumbered[number]) {
            renumbered[number] = static_cast<std::uint16_t>(used.size());
            used.push_back(std::move(names[number]));
        }
        return *renumbered[number];
    };
    for (std::size_t number = 0; number < num_fixed; ++number)
        use(number);
    for (std::uint16_t& number : column)
        number = use(number);
    names = std::move(used);
}

/// `value` times `factor` to the nearest whole number, ties away from zero; absent above `max`.
template <class T>
std::optional<T> scaled(T value, double factor, double max) {
    const double product = std::round(static_cast<double>(value) * factor);
    if (!(product <= max))
        return std::nullopt;
    return static_cast<T>(product);
}

void scale_times(std::vector<std::int64_t>& times,
                 double factor,
                 const TraceOptions& options,
                 const char* path) {
    constexpr double max = 999'999'999'999'999; // the largest time that is read
    for (std::int64_t& time : times) {
        const auto result = scaled(time, factor, max);
        if (!result)
            fail_option(options, path, mistake("scales times beyond 1e12 s"));
        time = *result;
    }
}

} // namespace

void keep_rows(Trace& trace, const std::vector<std::uint8_t>& keep) {
    keep_names(trace, keep);
    keep_in(trace.submit_ms, keep);
    keep_in(trace.duration_ms, keep);
    keep_in(trace.asked_ms, keep);
    keep_in(trace.gpus, keep);
    keep_in(trace.gpu_milli, keep);
    keep_in(trace.cpu_milli, keep);
    keep_in(trace.memory_mib, keep);
    keep_in(trace.end, keep);
    keep_in(trace.tenant, keep);
    keep_in(trace.priority, keep);
    keep_in(trace.gpu_types, keep);
    keep_in(trace.ran_on, keep);
    keep_in(trace.line, keep);
    drop_unused(trace.tenant, trace.tenants, 0);
    drop_unused(trace.gpu_types, trace.gpu_type_sets, 1); // 0 is any type
    drop_unused(trace.ran_on, trace.ran_on_gpus, 1);      // 0 is unsaid
}

void keep_first(Trace& trace, std::int64_t n) {
    const std::size_t wanted = static_cast<std::size_t>(n);
    if (wanted >= trace.size())
        return;
    std::vector<std::size_t> order(trace.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto earlier = [&](std::size_t a, std::size_t b) {
        return std::pair{trace.submit_ms[a], a} < std::pair{trace.submit_ms[b], b};
    };
    std::nth_element(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(wanted), order.end(), earlier);
    std::vector<std::uint8_t> keep(trace.size());
    for (std::size_t i = 0; i < wanted; ++i)
        keep[order[i]] = 1;
    trace.num_not_selected += trace.size() - wanted;
    keep_rows(trace, keep);
}

std::int64_t move_zero_to_first_submit(Trace& trace) {
    const std::int64_t first = *std::min_element(trace.submit_ms.begin(), trace.submit_ms.end());
    if (first != 0)
        for (std::int64_t& submit : trace.submit_ms)
            submit -= first;
    return first;
}

void scale_trace(Trace& trace, const TraceOptions& options) {
    const TraceScale& scale = options.scale;
    const auto check = [&](double factor, const char* path) {
        if (!(factor > 0) || !std::isfinite(factor))
            fail_option(
                options, path, mistake(fmt::format("{} is not a finite number > 0", factor)));
    };
    check(scale.time, "scale.time");
    check(scale.load, "scale.load");
    check(scale.gpus, "scale.gpus");
    if (scale.time != 1.0) {
        scale_times(trace.submit_ms, scale.time, options, "scale.time");
        scale_times(trace.duration_ms, scale.time, options, "scale.time");
        scale_times(trace.asked_ms, scale.time, options, "scale.time");
    }
    if (scale.load != 1.0)
        scale_times(trace.submit_ms, 1 / scale.load, options, "scale.load");
    if (scale.gpus == 1.0)
        return;
    constexpr double max = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t& gpus : trace.gpus) {
        const auto result = scaled(gpus, scale.gpus, max);
        if (!result)
            fail_option(options, "scale.gpus", mistake("scales a gang beyond 4294967295 GPUs"));
        gpus = std::max<std::uint32_t>(gpus == 0 ? 0 : 1, *result);
    }
    for (auto* column : {&trace.cpu_milli, &trace.memory_mib}) { // a larger gang needs more of all
        for (std::uint32_t& amount : *column) {
            const auto result = scaled(amount, scale.gpus, max);
            if (!result)
                fail_option(options,
                            "scale.gpus",
                            mistake("scales a job beyond 4294967295 millicores or MiB"));
            amount = *result;
        }
    }
}

}} // namespace bursar::scenarios
