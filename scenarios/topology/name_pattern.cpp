#include "scenarios/topology/name_pattern.hpp"

#include <algorithm>
#include <cassert>
#include <set>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/reader/decimal.hpp"
#include "scenarios/reader/pattern.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::int64_t max_index = 9'999'999;
constexpr const char* term_pattern = "([0-9]{1,7}(\\.\\.[0-9]{1,7})?|[a-z](\\+[0-9]{1,7})?)";

std::string segment_pattern() {
    const std::string term = term_pattern;
    return "[a-z][a-z0-9-]*(\\[" + term + "(," + term + ")*\\])?";
}

std::string whole_pattern() {
    return segment_pattern() + "(/" + segment_pattern() + ")*";
}

IndexTerm parse_term(std::string_view text) {
    const auto number = [](std::string_view digits) { return parse_decimal(digits)->whole; };
    if (text.front() >= 'a') {
        IndexTerm term;
        term.letter = text.front();
        term.last = max_index;
        term.offset = text.size() > 1 ? number(text.substr(2)) : 0;
        return term;
    }
    const std::size_t dots = text.find("..");
    const std::int64_t first = number(text.substr(0, dots));
    return {first, dots == std::string_view::npos ? first : number(text.substr(dots + 2)), 0, 0};
}

/// Precondition: `text` has the form of whole_pattern().
NamePattern parse(std::string_view text) {
    NamePattern pattern;
    bool inside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!inside || text[i] == ',' || text[i] == ']')
            pattern.shape += text[i];
        if (text[i] == ']')
            inside = false;
        if (text[i] != '[' && !(inside && text[i] == ','))
            continue;
        inside = true;
        const std::size_t end = text.find_first_of(",]", i + 1);
        pattern.terms.push_back(parse_term(text.substr(i + 1, end - i - 1)));
    }
    return pattern;
}

/// "node[,]/gpu[]" as "node" with its number of indices and the rest.
struct FirstWord {
    std::string_view word;
    std::int64_t indices{};
    std::string_view rest;
};

FirstWord first_word(std::string_view shape) {
    const std::size_t slash = std::min(shape.find('/'), shape.size());
    const std::string_view segment = shape.substr(0, slash);
    const std::size_t bracket = std::min(segment.find('['), segment.size());
    const std::int64_t commas = std::ranges::count(segment, ',');
    return {segment.substr(0, bracket),
            bracket == segment.size() ? 0 : commas + 1,
            shape.substr(std::min(slash + 1, shape.size()))};
}

/// The devices of one end that match the numbers bound by the other end.
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

    /// The positions of the devices that match the letters.
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
    std::vector<std::size_t> bound_; ///< positions bound by the other end
    std::map<std::vector<std::int64_t>, std::vector<std::size_t>> by_key_;
};

} // namespace

std::string NamePattern::name(std::span<const std::int64_t> indices) const {
    std::string out;
    std::size_t next = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const char c = shape[i];
        out += c;
        // An index follows each "[" and each comma; commas are nowhere else.
        if (c == '[' || c == ',')
            out += std::to_string(indices[next++]);
    }
    assert(next == indices.size());
    return out;
}

bool NamePattern::matches(std::span<const std::int64_t> indices,
                          std::span<const std::int64_t> sizes,
                          Bindings& bindings) const {
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const IndexTerm& term = terms[i];
        if (term.letter == 0) {
            if (indices[i] < term.first || indices[i] > term.last)
                return false;
            continue;
        }
        std::optional<std::int64_t>& bound = bindings[static_cast<std::size_t>(term.letter - 'a')];
        if (!bound)
            bound = indices[i];
        else if (indices[i] != term.number(*bound, sizes[i]))
            return false;
    }
    return true;
}

std::optional<IndexCounts> unequal_indices(std::string_view one, std::string_view other) {
    std::optional<IndexCounts> unequal;
    while (!one.empty() || !other.empty()) {
        const FirstWord own = first_word(one);
        const FirstWord given = first_word(other);
        if (own.word != given.word)
            return std::nullopt;
        if (own.indices != given.indices && !unequal)
            unequal = {std::string{own.word}, own.indices, given.indices};
        one = own.rest;
        other = given.rest;
    }
    return unequal;
}

std::optional<NamePattern> NamePatternRule::read(const Reader& at) const {
    static const std::string form = whole_pattern();
    if (at.node().kind != NodeKind::scalar)
        return at.expected("a name such as \"rack[r]/node[n]/gpu[0..7]\"");
    const std::string& text = at.node().text;
    if (!has_form(text, form))
        return at.mistake(in_quotes(text) + " is not a name of devices",
                          "words joined by \"/\", each with indices in brackets or none: a number, "
                          "0..7, a letter, or a letter with an offset",
                          "such as \"rack[r]/node[n]/gpu[0..7]\"");
    NamePattern pattern = parse(text);
    for (const IndexTerm& term : pattern.terms)
        if (term.last < term.first)
            return at.mistake(in_quotes(text) + " has a range that ends before it begins");
    return pattern;
}

Schema NamePatternRule::schema() const {
    return {{"type", "string"}, {"pattern", "^" + whole_pattern() + "$"}};
}

void DeviceIndex::add(const std::string& shape,
                      std::span<const std::int64_t> indices,
                      std::uint32_t device) {
    DevicesOfShape& own = shapes_[shape];
    own.sizes.resize(indices.size(), 0);
    own.devices.push_back(device);
    own.indices.insert(own.indices.end(), indices.begin(), indices.end());
    for (std::size_t i = 0; i < indices.size(); ++i)
        own.sizes[i] = std::max(own.sizes[i], indices[i] + 1);
}

const DevicesOfShape* DeviceIndex::find(std::string_view shape) const {
    const auto found = shapes_.find(shape);
    return found == shapes_.end() ? nullptr : &found->second;
}

std::vector<std::string> DeviceIndex::shapes() const {
    std::vector<std::string> shapes;
    for (const auto& [shape, devices] : shapes_)
        shapes.push_back(shape);
    return shapes;
}

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
        if (matching.empty() && !out.unmatched)
            out.unmatched = from.devices[i];
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
