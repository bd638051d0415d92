#include "scenarios/reader/text_rules.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/document/load_document.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/pattern.hpp"
#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The longest text with a form.
constexpr std::size_t max_pattern_text = 100;

} // namespace

std::optional<std::string> TextRule::read(const Reader& at) const {
    if (at.node().kind != NodeKind::scalar || at.node().text.empty())
        return at.expected("text");
    return at.node().text;
}

Schema TextRule::schema() const {
    return {{"type", {"string", "number", "boolean"}}, {"minLength", 1}};
}

std::optional<std::string> PatternRule::read(const Reader& at) const {
    const Node& node = at.node();
    if (node.kind != NodeKind::scalar)
        return at.expected(what_);
    if (is_json_word(node))
        return at.mistake(fmt::format("{} is not text", node.text),
                          fmt::format("expected {}", what_),
                          "put it in quotes");
    if (node.text.size() > max_pattern_text || !has_form(node.text, pattern_))
        return at.mistake(fmt::format("{} is not {}", in_quotes(node.text), what_),
                          fmt::format("such as \"{}\"", example_));
    return node.text;
}

Schema PatternRule::schema() const {
    return {
        {"type", "string"}, {"pattern", "^(" + pattern_ + ")$"}, {"maxLength", max_pattern_text}};
}

std::optional<std::string> FileRule::read(const Reader& at) const {
    if (at.node().kind != NodeKind::scalar || at.node().text.empty())
        return at.expected("a file name");
    if (at.node().text.find('\0') != std::string::npos)
        return at.mistake(in_quotes(at.node().text) + " is not a file name", "it holds a NUL");
    std::string path = resolved_path(at.node().text, *at.node().source);
    at.names_file(path);
    return path;
}

Schema FileRule::schema() const {
    return TextRule{}.schema();
}

std::optional<std::string> NameRule::read(const Reader& at) const {
    const Node& node = at.node();
    if (node.kind != NodeKind::scalar)
        return at.expected(fmt::format("one of {}", fmt::join(names, ", ")));
    const std::string* meant = meant_name(node.text, names);
    if (meant == nullptr)
        return at.mistake("unknown name " + in_quotes(node.text), {}, suggestion(node.text, names));
    return *meant;
}

Schema NameRule::schema() const {
    std::string spellings; // a separate list of names lets editors offer them
    for (const std::string& name : names)
        spellings += (spellings.empty() ? "" : "|") + spellings_of(name);
    const Schema spelled = {{"type", "string"}, {"pattern", "^(" + spellings + ")$"}};
    return {{"anyOf", {{{"enum", names}}, spelled}}};
}

std::optional<bool> YesNoRule::read(const Reader& at) const {
    const Node& node = at.node();
    const std::string word = lower_case(node.text);
    if (node.kind != NodeKind::scalar)
        return at.expected("yes or no");
    if (word == "yes" || word == "true" || word == "on")
        return true;
    if (word == "no" || word == "false" || word == "off")
        return false;
    return at.mistake(in_quotes(node.text) + " is neither yes nor no", "or true and false");
}

Schema YesNoRule::schema() const {
    const Schema word = {
        {"type", "string"},
        {"pattern",
         "^([Yy][Ee][Ss]|[Nn][Oo]|[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Oo][Nn]|[Oo][Ff][Ff])$"}};
    return {{"anyOf", {{{"type", "boolean"}}, word}}};
}

std::optional<std::string> OpenNameRule::read(const Reader& at) const {
    return text().read(at);
}

Schema OpenNameRule::schema() const {
    Schema schema = text().schema();
    schema["examples"] = names;
    return schema;
}

std::optional<TextMapRule::value_type> TextMapRule::read(const Reader& at) const {
    if (at.node().kind != NodeKind::mapping)
        return at.expected("a mapping of names to names");
    const std::size_t before = at.num_mistakes();
    value_type map;
    for (const Pair& pair : at.node().pairs) {
        if (pair.repeated)
            at.member(pair.key.text, pair.key).mistake("duplicate key");
        if (auto value = text().read(at.member(pair.key.text, pair.value)))
            map[pair.key.text] = std::move(*value);
    }
    return at.num_mistakes() == before ? std::optional{std::move(map)} : std::nullopt;
}

Schema TextMapRule::schema() const {
    return {{"type", "object"}, {"additionalProperties", text().schema()}};
}

PatternRule identifier() {
    return {"[a-z0-9-]+", "a name of the letters a-z, digits and '-'", "aws-spot"};
}

PatternRule calendar_day() {
    return {"[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|"
            "02-(0[1-9]|[12][0-9]))",
            "a day",
            "2026-01-31"};
}

PatternRule instant() {
    return {
        R"([0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2})?)?( ?(Z|[+-][0-9]{2}:[0-9]{2}))?)",
        "an instant",
        "2017-10-09T12:00:00Z"};
}

}} // namespace bursar::scenarios
