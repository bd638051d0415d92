#include "scenarios/topology/link_pattern.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace bursar { inline namespace scenarios {
namespace {

/// The devices of one end by the numbers that the other end decides.
class OtherEnd {
  public:
    OtherEnd(const LinkPattern& pattern, const DevicesOfShape& devices)
        : pattern_{pattern.to}, devices_{devices} {
        for (std::size_t i = 0; i < pattern_.terms.size(); ++i)
            if (is_bound(pattern.from, pattern_.terms[i]))
                bound_.push_back(i);
        for (std::size_t device = 0; device < devices_.devices.size(); ++device) {
            std::vector<std::int64_t> key;
            for (const std::size_t i : bound_)
                key.push_back(devices_.indices_of(device)[i]);
            by_key_[key].push_back(device);
        }
    }

    /// Those that the letters allow, by their position.
    [[nodiscard]] std::vector<std::size_t> matching(const Bindings& bindings) const {
        std::vector<std::int64_t> key;
        for (const std::size_t i : bound_) {
            const IndexTerm& term = pattern_.terms[i];
            const std::int64_t bound = *bindings[static_cast<std::size_t>(term.letter - 'a')];
            key.push_back(term.number(bound, devices_.sizes[i]));
        }
        std::vector<std::size_t> out;
        const auto found = by_key_.find(key);
        if (found == by_key_.end())
            return out;
        for (const std::size_t device : found->second) {
            Bindings own = bindings;
            if (pattern_.matches(devices_.indices_of(device), devices_.sizes, own))
                out.push_back(device);
        }
        return out;
    }

  private:
    static bool is_bound(const NamePattern& from, const IndexTerm& term) {
        return term.letter != 0 &&
               std::ranges::find(from.terms, term.letter, &IndexTerm::letter) != from.terms.end();
    }

    const NamePattern& pattern_;
    const DevicesOfShape& devices_;
    std::vector<std::size_t> bound_; ///< positions that the other end decides
    std::map<std::vector<std::int64_t>, std::vector<std::size_t>> by_key_;
};

} // namespace

LinkPairs link_pairs(const LinkPattern& pattern,
                     const DevicesOfShape& from,
                     const DevicesOfShape& to,
                     std::size_t max_pairs) {
    const OtherEnd others{pattern, to};
    const bool same_shape = pattern.from.shape == pattern.to.shape;
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    LinkPairs out;
    for (std::size_t i = 0; i < from.devices.size(); ++i) {
        Bindings bindings;
        if (!pattern.from.matches(from.indices_of(i), from.sizes, bindings))
            continue;
        const std::vector<std::size_t> matching = others.matching(bindings);
        if (matching.empty() && !out.leads_nowhere)
            out.leads_nowhere = from.devices[i];
        for (const std::size_t other : matching) {
            const std::pair ends = std::minmax(from.devices[i], to.devices[other]);
            if (ends.first == ends.second || (same_shape && !seen.insert(ends).second))
                continue;
            out.pairs.emplace_back(from.devices[i], to.devices[other]);
            if (out.pairs.size() == max_pairs)
                return out;
        }
    }
    return out;
}

}} // namespace bursar::scenarios
