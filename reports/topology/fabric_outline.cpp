#include "reports/topology/fabric_outline.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace bursar { inline namespace reports {
namespace {

/// Folds a fabric up from its innermost enclosures outward.
class Outliner {
  public:
    explicit Outliner(const Fabric& fabric)
        : fabric_{fabric}, depth_(fabric.enclosures.size(), 0), links_(fabric.devices.size()),
          boxes_(fabric.enclosures.size()), rows_(fabric.enclosures.size()) {
        for (std::size_t at = 1; at < depth_.size(); ++at)
            depth_[at] = depth_[fabric.enclosures[at].parent] + 1;
        for (const FabricLink& link : fabric.links)
            note(link);
    }

    OutlineBox fold() {
        for (std::size_t device = 0; device < fabric_.devices.size(); ++device)
            add(device);
        for (std::size_t at = boxes_.size(); at-- > 0;) { // children before parents, last first
            OutlineBox& box = boxes_[at];
            box.word = word_of(fabric_.enclosures[at].name);
            for (auto& [row, count] : rows_[at]) {
                box.rows.push_back(row);
                box.rows.back().count = count;
            }
            std::ranges::stable_sort(box.rows, std::ranges::greater{}, &OutlineRow::kind);
            std::ranges::reverse(box.inside);
            box.inside = merged(std::move(box.inside));
            for (const OutlineBox& inner : box.inside)
                box.gpus += inner.count * inner.gpus;
            if (at > 0)
                boxes_[fabric_.enclosures[at].parent].inside.push_back(std::move(box));
        }
        return std::move(boxes_.front());
    }

  private:
    /// Where a device stands: the end that is further in has the link.
    [[nodiscard]] auto rank(std::uint32_t device) const {
        const Device& own = fabric_.devices[device];
        return std::tuple{-static_cast<std::ptrdiff_t>(depth_[own.enclosure]), own.kind};
    }

    void note(const FabricLink& link) {
        const auto to = [&](std::uint32_t device) {
            return OutlineLink{std::string{word_of(fabric_.devices[device].name)},
                               0,
                               false,
                               link.bandwidth,
                               link.latency};
        };
        const bool peers =
            rank(link.from) == rank(link.to) &&
            word_of(fabric_.devices[link.from].name) == word_of(fabric_.devices[link.to].name);
        for (const auto& [own, other] :
             {std::pair{link.from, link.to}, std::pair{link.to, link.from}}) {
            if (!peers && (rank(own) > rank(other) || (rank(own) == rank(other) && own > other)))
                continue;
            OutlineLink key = to(other);
            key.to_peers = peers;
            ++links_[own][key];
        }
    }

    void add(std::size_t device) {
        const Device& own = fabric_.devices[device];
        OutlineRow row{std::string{word_of(own.name)}, own.kind, 0, {}};
        for (const auto& [link, each] : links_[device]) {
            row.links.push_back(link);
            row.links.back().each = each;
        }
        ++rows_[own.enclosure][row];
        if (own.kind == DeviceKind::gpu)
            ++boxes_[own.enclosure].gpus;
    }

    static std::vector<OutlineBox> merged(std::vector<OutlineBox> boxes) {
        std::vector<OutlineBox> out;
        for (OutlineBox& box : boxes) {
            const auto alike = std::ranges::find_if(out, [&](OutlineBox& other) {
                const std::size_t count = std::exchange(other.count, 1);
                const bool equal = other == box;
                other.count = count;
                return equal;
            });
            if (alike != out.end())
                ++alike->count;
            else
                out.push_back(std::move(box));
        }
        return out;
    }

    const Fabric& fabric_;
    std::vector<std::size_t> depth_;                        ///< per enclosure
    std::vector<std::map<OutlineLink, std::size_t>> links_; ///< per device, `each` 0
    std::vector<OutlineBox> boxes_;                         ///< per enclosure
    std::vector<std::map<OutlineRow, std::size_t>> rows_;   ///< per enclosure, `count` 0
};

} // namespace

OutlineBox outline_of(const Fabric& fabric) {
    return Outliner{fabric}.fold();
}

}} // namespace bursar::reports
