#include "scenarios/catalog/precision_gains.hpp"

#include <algorithm>

#include "scenarios/catalog/catalogue_file.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

using G = PrecisionGain;

KeyRow<G> factor(std::string name, double SpeedRange::*member) {
    return required(
        std::move(name), within(&G::gain, member), NumberRule{0, Bound::excluded, 1000});
}

void check_range(const Reader& at, G& entry, const KeysRead& read) {
    if (read.good("low") && read.good("likely") && read.good("high") &&
        !(entry.gain.low <= entry.gain.likely && entry.gain.likely <= entry.gain.high))
        at.mistake_at("likely", "is not between low and high");
}

Table<G> gain_keys() {
    const auto formats = list_of(choice_of<Precision>(precision_names));
    return table<G, check_range>({
        {required("name", &G::name, text()), "unique"},
        {required("gpus", &G::gpus, list_of(text())), "starts of the names of GPUs it is of"},
        {required("from", &G::from, formats), "formats that were measured against"},
        {required("to", &G::to, formats), "formats that were measured"},
        {factor("low", &SpeedRange::low), "the least speed-up"},
        {factor("likely", &SpeedRange::likely), "their geometric mean"},
        {factor("high", &SpeedRange::high), "the most"},
        {required("measured", &G::measured, whole_number(1, 1'000'000)),
         "jobs that were run in both"},
        {required("source", &G::source, text()), "where they were published"},
    });
}

bool has(const std::vector<Precision>& formats, Precision format) {
    return std::ranges::find(formats, format) != formats.end();
}

SpeedRange inverse(const SpeedRange& range) {
    return {1 / range.high, 1 / range.likely, 1 / range.low};
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
            back.gain = inverse(entry.gain);
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
