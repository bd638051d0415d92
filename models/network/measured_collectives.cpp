#include "models/network/measured_collectives.hpp"

#include "models/network/operator_log.hpp"

namespace bursar { inline namespace models {
namespace {

std::string text_of(Collective kind, ByteVolume volume, CommGroup group) {
    return std::string{collective_names[static_cast<std::size_t>(kind)]} + " of " +
           std::to_string(static_cast<std::int64_t>(volume.count())) + " bytes over " +
           std::to_string(group.size) + " GPUs" +
           (group.stride > 1 ? ", every " + std::to_string(group.stride) + "th" : std::string{});
}

} // namespace

const MeasuredCollectives::Series*
MeasuredCollectives::find(Collective kind, CommGroup group, std::int64_t domain) const {
    Group sought{kind, group.size, 1};
    if (group.size * group.stride > domain) {
        if (group.stride != 1 || group.size % domain != 0)
            return nullptr;
        sought.domains = group.size / domain;
    }
    const auto found = series_.find(sought);
    return found == series_.end() ? nullptr : &found->second;
}

std::optional<Seconds> MeasuredCollectives::time(Collective kind,
                                                 ByteVolume volume,
                                                 CommGroup group,
                                                 const LocalityTree& tree) const {
    std::optional<Seconds> time;
    std::string source = "formula: no collective over this group was measured";
    if (const Series* series = find(kind, group, tree.levels.front().gpus)) {
        const auto points = series->curve.points();
        source = "formula: the size is beyond those measured";
        if (volume * reach >= points.front().volume && volume <= points.back().volume * reach) {
            time = series->curve.time(volume);
            source = "measured sizes: " + series->source;
        }
    }
    if (log != nullptr)
        log->add(text_of(kind, volume, group), time.value_or(Seconds{}), source);
    return time;
}

}} // namespace bursar::models
