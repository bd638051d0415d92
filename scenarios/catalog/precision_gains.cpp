#include "scenarios/catalog/precision_gains.hpp"

#include <algorithm>

#include "scenarios/catalog/catalogue_file.hpp"
#include "scenarios/catalog/speed_range_keys.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

using G = PrecisionGain;

Table<G> gain_keys() {
    const auto formats = list_of(choice_of<Precision>(precision_names));
    return table<G, check_speed_range<&G::gain>>({
        {required("name", &G::name, text()), "unique"},
        {required("gpus", &G::gpus, list_of(text())), "starts of the names of GPUs it is of"},
        {required("from", &G::from, formats), "formats that were measured against"},
        {required("to", &G::to, formats), "formats that were measured"},
        {speed_factor<&G::gain>("low", &SpeedRange::low), "the least speed-up"},
        {speed_factor<&G::gain>("likely", &SpeedRange::likely), "their geometric mean"},
        {speed_factor<&G::gain>("high", &SpeedRange::high), "the most"},
        {required("measured", &G::measured, whole_number(1, 1'000'000)),
         "jobs that were run in both"},
        {required("source", &G::source, text()), "where they were published"},
    });
}

bool has(const std::vector<Precision>& formats, Precision format) {
    return std::ranges::find(formats, format) != formats.end();
}

} // namespace

std::optional<PrecisionGain>
PrecisionGains::find(std::string_view gpu, Precision from, Precision to) const {
    for (const PrecisionGain& entry : all) {
        if (std::ranges::none_of(entry.gpus,
                                 [&](const std::string& start) { return gpu.starts_with(start); }))
            continue;
        if (has(entry.from, from) && has(entry.to, to))
            return entry;
        if (has(entry.from, to) && has(entry.to, from)) {
            PrecisionGain back = entry;
            back.gain = entry.gain.inverse();
            return back;
        }
    }
    return std::nullopt;
}

const PrecisionGains& builtin_precision_gains() {
    static const PrecisionGains gains =
        read_precision_gains_text(builtin_precision_yaml, "precision.yaml");
    return gains;
}

PrecisionGains read_precision_gains(const std::string& path) {
    return {read_named_file<PrecisionGain>(path, "gains", gain_keys())};
}

PrecisionGains read_precision_gains_text(std::string_view text, const std::string& file) {
    return {read_named_text<PrecisionGain>(text, file, "gains", gain_keys())};
}

}} // namespace bursar::scenarios
