#include "scenarios/document/parse_document.hpp"

#include <algorithm>
#include <istream>
#include <map>
#include <optional>
#include <set>
#include <streambuf>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/yaml.h>

#include "scenarios/errors/in_quotes.hpp"

namespace bursar { inline namespace scenarios {
namespace {

std::size_t sequence_length(unsigned char lead) {
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 2;
    if (lead >= 0xE0 && lead <= 0xEF)
        return 3;
    return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

/// Smallest and largest second byte: excludes overlong forms, surrogates and what lies past
/// U+10FFFF (RFC 3629, section 4).
bool is_second(unsigned char lead, unsigned char second) {
    const unsigned char min = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char max = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    return second >= min && second <= max;
}

/// Length of the UTF-8 sequence `rest` starts with; 0 if it starts with none.
std::size_t valid_length(std::string_view rest) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
    const std::size_t length = sequence_length(byte(0));
    if (length < 2)
        return length;
    if (rest.size() < length || !is_second(byte(0), byte(1)))
        return 0;
    for (std::size_t i = 2; i < length; ++i)
        if ((byte(i) & 0xC0U) != 0x80U)
            return 0;
    return length;
}

bool is_control(unsigned char c) {
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
}

[[noreturn]] void
fail(std::string_view text, std::size_t at, const Source& source, std::string problem) {
    Place place{source.name};
    if (source.has_lines) {
        const std::string_view before = text.substr(0, at);
        const std::size_t line_start = before.rfind('\n') + 1; // npos + 1 is 0: the first line
        place.line = 1 + static_cast<std::uint64_t>(std::ranges::count(before, '\n'));
        place.column = 1 + at - line_start;
    }
    throw ScenarioError{Finding{std::move(place), {}, std::move(problem), "not a text file?", {}}};
}

/// Throws ScenarioError with the place of the first byte that is not UTF-8 or is a control
/// character other than tab, newline and carriage return: a parser would stop there silently or
/// replace it.
void check_encoding(std::string_view text, const Source& source) {
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const std::size_t length = valid_length(text.substr(at));
        if (length == 0)
            fail(text, at, source, fmt::format("the byte 0x{:02x} is not UTF-8", byte));
        if (is_control(byte))
            fail(text, at, source, fmt::format("a control character, U+{:04X}", byte));
        at += length;
    }
}

[[noreturn]] void
fail(const Source& source, const YAML::Mark& mark, std::string problem, std::string why = {}) {
    Place place{source.name};
    if (source.has_lines && !mark.is_null()) {
        place.line = static_cast<std::uint64_t>(mark.line) + 1;
        place.column = static_cast<std::uint64_t>(mark.column) + 1;
    }
    throw ScenarioError{Finding{std::move(place), {}, std::move(problem), std::move(why), {}}};
}

/// The mistake of a quote that is open at the end of the text; key: the one whose value begins with
/// it.
[[noreturn]] void fail_open_quote(const Source& source, const Node* key, const YAML::Mark& around) {
    constexpr const char* problem = "a quote is not closed";
    if (key == nullptr)
        fail(source, around, problem, "it takes all that follows for its text");
    Finding finding{key->place(), {}, problem, {}, {}};
    finding.why = "behind " + in_quotes(key->text) + "; it takes all that follows for its text";
    throw ScenarioError{std::move(finding)};
}

/// How much a tree counts toward the node limit; long texts count as several nodes so that copies
/// of them through aliases are bounded too.
std::size_t weight(const Node& node) {
    std::size_t sum = 1 + node.text.size() / 64;
    for (const Node& item : node.items)
        sum += weight(item);
    for (const Pair& pair : node.pairs)
        sum += weight(pair.key) + weight(pair.value);
    return sum;
}

/// Builds the tree from yaml-cpp's events. Its own node type would cost 40 times the memory and
/// merges repeated keys silently.
class TreeBuilder final : public YAML::EventHandler {
  public:
    explicit TreeBuilder(std::shared_ptr<const Source> source) : source_{std::move(source)} {
        root_.source = source_;
    }

    Node take() { return std::move(root_); }

    /// The key whose value comes next; null if there is none.
    [[nodiscard]] const Node* open_key() const {
        return open_.empty() || !open_.back().has_key ? nullptr : &open_.back().key;
    }

    /// The begin of the innermost open list or mapping; `otherwise` if there is none.
    [[nodiscard]] YAML::Mark innermost(const YAML::Mark& otherwise) const {
        return open_.empty() ? otherwise : open_.back().mark;
    }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (started_)
            fail(*source_, mark, "a second YAML document starts here", "a file holds one document");
        started_ = true;
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        add(make(NodeKind::null, mark), anchor, mark);
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end())
            fail(*source_, mark, "an alias inside its own anchor");
        count(found->second.weight - 1, mark); // add() counts one
        add(Node{found->second.node}, 0, mark);
    }
    void OnScalar(const YAML::Mark& mark,
                  const std::string& tag,
                  YAML::anchor_t anchor,
                  const std::string& value) override {
        refuse_tag(tag, mark);
        if (value.size() > max_text_bytes)
            fail(*source_,
                 mark,
                 fmt::format("a text of {} bytes", value.size()),
                 fmt::format("at most {}", max_text_bytes));
        Node node = make(NodeKind::scalar, mark);
        node.text = value;
        node.quoted = tag == "!"; // yaml-cpp's mark of a quoted scalar
        count(value.size() / 64, mark);
        add(std::move(node), anchor, mark);
    }
    void OnSequenceStart(const YAML::Mark& mark,
                         const std::string& tag,
                         YAML::anchor_t anchor,
                         YAML::EmitterStyle::value /*style*/) override {
        refuse_tag(tag, mark);
        open_.push_back({make(NodeKind::sequence, mark), anchor, mark, {}, false, {}});
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark,
                    const std::string& tag,
                    YAML::anchor_t anchor,
                    YAML::EmitterStyle::value /*style*/) override {
        refuse_tag(tag, mark);
        open_.push_back({make(NodeKind::mapping, mark), anchor, mark, {}, false, {}});
    }
    void OnMapEnd() override { close(); }

  private:
    /// An open list or mapping.
    struct Open {
        Node node;
        YAML::anchor_t anchor{};
        YAML::Mark mark;
        Node key; ///< mapping: the key whose value comes next
        bool has_key{};
        std::set<std::string> seen; ///< mapping: its keys so far
    };
    struct Anchored {
        Node node;
        std::size_t weight{};
    };

    [[nodiscard]] Node make(NodeKind kind, const YAML::Mark& mark) const {
        Node node;
        node.kind = kind;
        node.source = source_;
        if (!mark.is_null()) {
            node.line = static_cast<std::uint64_t>(mark.line) + 1;
            node.column = static_cast<std::uint64_t>(mark.column) + 1;
        }
        return node;
    }

    void refuse_tag(const std::string& tag, const YAML::Mark& mark) const {
        if (!tag.empty() && tag != "?" && tag != "!")
            fail(*source_, mark, fmt::format("the tag {} is not supported", in_quotes(tag)));
    }

    void count(std::size_t nodes, const YAML::Mark& mark) {
        num_nodes_ += nodes;
        if (num_nodes_ > max_document_nodes)
            fail(*source_,
                 mark,
                 "the document is too large",
                 fmt::format("more than {} values, aliases followed", max_document_nodes));
    }

    void close() {
        Open done = std::move(open_.back());
        open_.pop_back();
        add(std::move(done.node), done.anchor, done.mark);
    }

    void add(Node node, YAML::anchor_t anchor, const YAML::Mark& mark) {
        count(1, mark);
        if (anchor != 0) {
            const std::size_t size = weight(node);
            count(size, mark); // the copy kept for its aliases
            anchors_[anchor] = {node, size};
        }
        if (open_.empty()) {
            root_ = std::move(node);
            return;
        }
        Open& parent = open_.back();
        if (parent.node.kind == NodeKind::sequence)
            parent.node.items.push_back(std::move(node));
        else if (!parent.has_key)
            take_key(parent, std::move(node), mark);
        else
            take_value(parent, std::move(node));
    }

    void take_key(Open& parent, Node key, const YAML::Mark& mark) {
        if (key.kind != NodeKind::scalar)
            fail(*source_, mark, "a key must be text", "found " + shown(key));
        if (key.text == "<<" && !key.quoted)
            fail(*source_, mark, "merge keys are not supported", "write the keys out");
        parent.key = std::move(key);
        parent.has_key = true;
    }

    static void take_value(Open& parent, Node value) {
        const bool repeated = !parent.seen.insert(parent.key.text).second;
        parent.node.pairs.push_back({std::move(parent.key), std::move(value), repeated});
        parent.has_key = false;
    }

    std::shared_ptr<const Source> source_;
    Node root_;
    bool started_{};
    std::size_t num_nodes_{};
    std::vector<Open> open_;
    std::map<YAML::anchor_t, Anchored> anchors_;
};

/// The text followed by YAML's end of a document. yaml-cpp accepts an open quote at the end of the
/// text, but refuses this mark inside one.
std::string with_end_mark(std::string_view text) {
    const std::size_t last = text.find_last_not_of(" \t");
    const bool ends_a_line = last == std::string_view::npos || text[last] == '\n';
    if (!ends_a_line) // an open quote is refused without it
        return std::string{text};
    const bool blank_line = last + 1 < text.size();
    return std::string{text} + (blank_line && !text.empty() ? "\n...\n" : "...\n");
}

/// The begin of the first word of a line: after blanks, and after the dashes of lists, which
/// also indent.
std::size_t first_word(std::string_view row) {
    std::size_t at = 0;
    while (at < row.size()) {
        const bool blank = row[at] == ' ' || row[at] == '\t' || row[at] == '\r';
        const bool dash =
            row[at] == '-' && at + 1 < row.size() && (row[at + 1] == ' ' || row[at + 1] == '\t');
        if (!blank && !dash)
            break;
        ++at;
    }
    return at;
}

/// The first line up to `mark` that is indented by a tab, as line and column; YAML indents by
/// spaces only.
std::optional<YAML::Mark> indenting_tab(std::string_view text, const YAML::Mark& mark) {
    std::size_t begin = 0;
    for (int line = 0; line <= mark.line && begin < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view row = text.substr(begin, end - begin);
        const std::size_t word = first_word(row);
        const std::size_t tab = row.substr(0, word).find('\t');
        if (word < row.size() && tab != std::string_view::npos) {
            YAML::Mark found;
            found.line = line;
            found.column = static_cast<int>(tab);
            return found;
        }
        begin = end + 1;
    }
    return std::nullopt;
}

/// A read-only stream over bytes that are already in memory.
class ViewBuffer final : public std::streambuf {
  public:
    explicit ViewBuffer(std::string_view text) {
        char* begin =
            const_cast<char*>(text.data()); // NOLINT: streambuf's interface; never written
        setg(begin, begin, begin + text.size());
    }
};

} // namespace

Node parse_document(std::string_view text, const std::shared_ptr<const Source>& source) {
    if (text.size() > max_document_bytes)
        fail(*source,
             YAML::Mark::null_mark(),
             "the document is too large",
             fmt::format("at most {} MiB", max_document_bytes >> 20));
    check_encoding(text, *source);
    const std::string marked = with_end_mark(text);
    ViewBuffer buffer{marked};
    std::istream stream{&buffer};
    TreeBuilder builder{source};
    try {
        YAML::Parser parser{stream};
        while (parser.HandleNextDocument(builder)) {
        }
    } catch (const YAML::DeepRecursion& error) {
        // The parser has read ahead: its own mark is behind the nested value.
        fail(*source, builder.innermost(error.mark), "nested too deeply", "at most 500 levels");
    } catch (const YAML::Exception& error) {
        if (error.msg == YAML::ErrorMsg::DOC_IN_SCALAR ||
            error.msg == YAML::ErrorMsg::EOF_IN_SCALAR)
            fail_open_quote(*source, builder.open_key(), builder.innermost(error.mark));
        if (const auto tab = indenting_tab(text, error.mark))
            fail(*source, *tab, "the line is indented with a tab", "YAML takes spaces only");
        fail(*source, error.mark, "not YAML", error.msg);
    }
    return builder.take();
}

}} // namespace bursar::scenarios
