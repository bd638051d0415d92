#include "scenarios/catalog/pair_speeds.hpp"

#include <algorithm>
#include <utility>

#include "scenarios/catalog/catalogue_file.hpp"
#include "scenarios/catalog/speed_range_keys.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

using M = PairSpeed;

Table<M> speed_keys() {
    return table<M, check_speed_range<&M::speed>>({
        {required("name", &M::name, text()), "unique"},
        {required("from", &M::from, text()), "start of the name of a GPU"},
        {required("to", &M::to, text()), "start of the name of another"},
        {required("formats", &M::formats, list_of(choice_of<Precision>(precision_names))),
         "formats that jobs were measured in"},
        {speed_factor<&M::speed>("low", &SpeedRange::low), "the least ratio of their speeds"},
        {speed_factor<&M::speed>("likely", &SpeedRange::likely), "their geometric mean"},
        {speed_factor<&M::speed>("high", &SpeedRange::high), "the most"},
        {required("workloads", &M::workloads, whole_number(1, 1'000'000)),
         "workloads that ran on both"},
        {required("source", &M::source, text()), "where they were published"},
    });
}

/// Whether `gpu` begins with the words of `start`: A10 is no start of A100.
bool is_of(std::string_view gpu, std::string_view start) {
    return gpu.starts_with(start) && (gpu.size() == start.size() || gpu[start.size()] == '-');
}

} // namespace

std::optional<PairSpeed>
PairSpeeds::find(std::string_view from, std::string_view to, Precision format) const {
    for (const PairSpeed& entry : all) {
        if (std::ranges::find(entry.formats, format) == entry.formats.end())
            continue;
        if (is_of(from, entry.from) && is_of(to, entry.to))
            return entry;
        if (is_of(from, entry.to) && is_of(to, entry.from)) {
            PairSpeed back = entry;
            std::swap(back.from, back.to);
            back.speed = entry.speed.inverse();
            return back;
        }
    }
    return std::nullopt;
}

SpeedEstimate PairSpeeds::estimate(const Gpu& from, const Gpu& to, Precision format) const {
    SpeedEstimate out;
    out.measured = find(from.name, to.name, format);
    if (out.measured && out.measured->workloads >= min_workloads_of_speed) {
        out.range = out.measured->speed;
        return out;
    }
    out.ratio = speed_ratio(from, to, format);
    out.range = out.ratio->range;
    if (out.measured) {
        out.range.low = std::min(out.range.low, out.measured->speed.low);
        out.range.high = std::max(out.range.high, out.measured->speed.high);
    }
    return out;
}

const PairSpeeds& builtin_pair_speeds() {
    static const PairSpeeds speeds = read_pair_speeds_text(builtin_speeds_yaml, "speeds.yaml");
    return speeds;
}

PairSpeeds read_pair_speeds_text(std::string_view text, const std::string& file) {
    return {read_named_text<PairSpeed>(text, file, "speeds", speed_keys())};
}

}} // namespace bursar::scenarios
