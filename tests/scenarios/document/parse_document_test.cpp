#include <chrono>
#include <memory>
#include <string>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "scenarios/document/canonical_hash.hpp"
#include "scenarios/document/parse_document.hpp"

namespace bursar::parse_document_test {
namespace {

const auto source = std::make_shared<const Source>(Source{"a.yaml", {}, 0, true});

Node parse(std::string_view text) {
    return parse_document(text, source);
}

/// The message about a refused text.
std::string refusal(std::string_view text) {
    try {
        parse(text);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return "accepted";
}

std::string times(int n, std::string_view text) {
    std::string out;
    for (int i = 0; i < n; ++i)
        out += text;
    return out;
}

} // namespace

TEST_CASE("values know their kind, their text and their place") {
    const Node root = parse("name: x y # comment\nfleet:\n  - {pool: \"8\", nodes: 007}\n  - ~\n");
    REQUIRE(root.kind == NodeKind::mapping);
    const Node* name = root.find("name");
    REQUIRE(name != nullptr);
    CHECK(name->text == "x y");
    CHECK_FALSE(name->quoted);
    CHECK(name->line == 1);
    CHECK(name->column == 7);
    const Node& pool = root.find("fleet")->items.at(0);
    CHECK(pool.find("pool")->quoted);
    CHECK(pool.find("nodes")->text == "007");
    CHECK(pool.find("nodes")->line == 3);
    CHECK(pool.find("nodes")->column == 24);
    CHECK(root.find("fleet")->items.at(1).kind == NodeKind::null);
    CHECK(root.find("nothing") == nullptr);
}

TEST_CASE("a key written twice is kept and marked at its second place") {
    const Node root = parse("a: 1\nb: 2\na: 3\n");
    REQUIRE(root.pairs.size() == 3);
    CHECK(root.pairs[2].repeated);
    CHECK(root.pairs[2].key.line == 3);
    CHECK(root.find("a")->text == "1");
}

TEST_CASE("aliases are followed") {
    const Node root = parse("a: &x {b: 1}\nc: *x\n");
    CHECK(root.find("c")->find("b")->text == "1");
}

TEST_CASE("text that is not one YAML document is refused in one line with its place") {
    const std::pair<std::string, std::string> cases[] = {
        {"a: [1,\nb: {", "a.yaml:2:1: not YAML (end of map flow not found)"},
        {"a: *x\n", "a.yaml:1:4: not YAML (the referenced anchor is not defined)"},
        {"a: &a [*a]\n", "a.yaml:1:8: an alias inside its own anchor"},
        {"a: b\n---\nb: c\n",
         "a.yaml:2:1: a second YAML document starts here (a file holds one document)"},
        {"[a]: 3\n", "a.yaml:1:1: a key must be text (found a list)"},
        {"~: 3\n", "a.yaml:1:1: a key must be text (found nothing)"},
        {"a: &x {b: 1}\nc: {<<: *x, d: 2}\n",
         "a.yaml:2:5: merge keys are not supported (write the keys out)"},
        {"a: !b 3\n", "a.yaml:1:4: the tag \"!b\" is not supported"},
        {std::string{"a: b\n\0c", 7}, "a.yaml:2:1: a control character, U+0000 (not a text file?)"},
        {"a: \x1b[0m", "a.yaml:1:4: a control character, U+001B (not a text file?)"},
        {"a: b\n  \xff", "a.yaml:2:3: the byte 0xff is not UTF-8 (not a text file?)"},
        {"\xc0\xaf", "a.yaml:1:1: the byte 0xc0 is not UTF-8 (not a text file?)"},
        {"a: \xed\xa0\x80", "a.yaml:1:4: the byte 0xed is not UTF-8 (not a text file?)"},
        {"a: \xe2\x82", "a.yaml:1:4: the byte 0xe2 is not UTF-8 (not a text file?)"},
        {"a: " + times(10'000'000, "x"), "a.yaml:1:4: a text of 10000000 bytes (at most 65536)"},
        {times((16 << 20) + 1, " "), "a.yaml: the document is too large (at most 16 MiB)"},
    };
    for (const auto& [text, message] : cases) {
        CAPTURE(message);
        CHECK(refusal(text) == message);
    }
    CHECK(parse("a: \xe2\x82\xac \xf0\x9f\x90\xbb").find("a")->text ==
          "\xe2\x82\xac \xf0\x9f\x90\xbb");
}

TEST_CASE("an open quote does not hide the text after it") {
    const std::string told = ": a quote is not closed (behind \"name\"; it takes all that follows "
                             "for its text)";
    for (const std::string quote : {"\"", "'"}) {
        for (const std::string end :
             {"", "\n", "\n\n", "\n  ", "\n\t\n", "\r\n", "\n...\n", "\n---\n"}) {
            CAPTURE(quote);
            CAPTURE(end);
            CHECK(refusal("bursar: 1\nname: " + quote + "x\nuntil: 3 h" + end) ==
                  "a.yaml:2:1" + told);
        }
    }
    CHECK(refusal("a:\n  - 'x\n  - y\n").starts_with("a.yaml:2:3: a quote is not closed"));
    CHECK(parse("a: \"x\n\n  y\"\n").find("a")->text == "x\ny");
    CHECK(parse("a: 'it''s'\n  ").find("a")->text == "it's");
    // The end of a block text is unchanged.
    CHECK(parse("a: |\n  x\n").find("a")->text == "x\n");
    CHECK(parse("a: |\n  x").find("a")->text == "x");
    CHECK(parse("---\na: 1\n...\n").find("a")->text == "1");
}

TEST_CASE("a tab in front of a line is named in the message") {
    CHECK(refusal("a:\n\tb: 1\n") ==
          "a.yaml:2:1: the line is indented with a tab (YAML takes spaces only)");
    CHECK(refusal("a:\n  b: 1\n  \tc: 2\n") ==
          "a.yaml:3:3: the line is indented with a tab (YAML takes spaces only)");
    CHECK(parse("a:\tb # here a tab is a space\n").find("a")->text == "b");
    CHECK(refusal("a:\n-\tb: 1\n\tc: 2\n") ==
          "a.yaml:2:2: the line is indented with a tab (YAML takes spaces only)");
}

TEST_CASE("a nest of 100,000 levels is refused, in any style") {
    constexpr int levels = 100'000;
    std::string indented;
    for (int i = 0; i < 2000; ++i)
        indented += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
    for (const std::string& text : {times(levels, "["),
                                    times(levels, "{a: "),
                                    times(levels, "- ") + "x",
                                    times(levels, "? ") + "x",
                                    indented})
        CHECK(refusal(text).find("nested too deeply (at most 500 levels)") != std::string::npos);
    CHECK(refusal("a: 1\nb: " + times(1000, "[") + "\n\n").starts_with("a.yaml:2:"));
    CHECK(parse(times(400, "[") + times(400, "]")).kind == NodeKind::sequence);
}

TEST_CASE("aliases cannot multiply a small file into a large document") {
    std::string nodes = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    std::string bytes = "a0: &a0 " + times(60'000, "x") + "\n";
    for (int i = 1; i < 12; ++i) {
        const std::string list = times(9, "*a" + std::to_string(i - 1) + ", ");
        const std::string line = "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" +
                                 list.substr(0, list.size() - 2) + "]\n";
        nodes += line;
        bytes += line;
    }
    CHECK(refusal(nodes).find("too large (more than 200000 values") != std::string::npos);
    CHECK(refusal(bytes).find("too large (more than 200000 values") != std::string::npos);
    CHECK(refusal("a: [" + times(300'000, "1, ") + "]").find("too large") != std::string::npos);
}

TEST_CASE("a document as text parses to the same document") {
    const std::string long_text = times(30, "a long name ");
    const std::string written = "name: \"a: b # c\"\n\"a key: x\": 007\nempty: {}\nnone: ~\n"
                                "list: [1, [2, {a: b}], \"\", '~']\n"
                                "long:\n  - {name: " +
                                long_text + ", text: \"" + long_text + "\\n\", in: {deep: [" +
                                times(40, "1234, ") + "]}}\n  - []\n  -\n";
    const Node root = parse(written);
    const std::string text = block_text(root);
    CAPTURE(text);
    CHECK(canonical_hash(parse(text)) == canonical_hash(root));
    CHECK(block_text(parse(text)) == text);
    CHECK(text.starts_with("name: \"a: b # c\"\n\"a key: x\": 007\nempty: {}\nnone: ~\n"));
    CHECK(text.find("\nlong:\n  - name: a long name") != std::string::npos);
}

TEST_CASE("an empty text is a null document") {
    for (const std::string_view text : {"", "\n\n", "# only a comment\n", "---\n", "~"})
        CHECK(parse(text).kind == NodeKind::null);
}

TEST_CASE("any bytes are parsed or refused with a place in the file") {
    CHECK(rc::check("bytes", [](const std::string& bytes) {
        try {
            parse(bytes);
        } catch (const ScenarioError& error) {
            RC_ASSERT(error.findings().size() == 1U);
            RC_ASSERT(error.findings()[0].place.file == "a.yaml");
        }
    }));
}

} // namespace bursar::parse_document_test
