#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "reports/outputs/registry.hpp"
#include "reports/result/json_parser.hpp"
#include "reports/result/saved_result.hpp"

#include "tests/reports/support/sample_result.hpp"

namespace bursar::json_parser_test {
namespace {

using Kind = JsonValue::Kind;

/// A value of bursar in the form of the other parser.
nlohmann::json converted(const JsonValue& value) {
    switch (value.kind) {
    case Kind::null:
        return nullptr;
    case Kind::boolean:
        return value.text == "true";
    case Kind::string:
        return json_string(value.text);
    case Kind::integer:
    case Kind::number:
        return nlohmann::json::parse(value.text);
    case Kind::column:
        return nlohmann::json::parse("[" + std::string{value.text} + "]");
    case Kind::array: {
        auto out = nlohmann::json::array();
        for (const JsonValue& part : *value.parts)
            out.push_back(converted(part));
        return out;
    }
    case Kind::object:
        break;
    }
    auto out = nlohmann::json::object();
    for (const JsonValue& part : *value.parts)
        out[json_string(part.key)] = converted(part);
    return out;
}

/// Whether bursar reads the text, and agrees with the other parser if that reads it.
bool reads(const std::string& text) {
    const bool other_reads = nlohmann::json::accept(text);
    CAPTURE(text);
    try {
        const JsonValue value = parse_json(text);
        CHECK(converted(value) == nlohmann::json::parse(text, nullptr, false));
    } catch (const BadJson&) {
        CHECK_FALSE(other_reads);
        return false;
    }
    CHECK(other_reads);
    return true;
}

} // namespace

TEST_CASE("JSON is read as another parser reads it") {
    for (const char* text : {"{}",
                             " [ ] ",
                             "[1, 2 ,3\n]",
                             "[0]",
                             "[18446744073709551615, 99999999999999999999]",
                             "[1, -2, 3]",
                             "[-0, 1.5, 1e3, 1E-3, 0.0e+1]",
                             "[[1], [2, [3, {}]]]",
                             "{\"a\": {\"b\": null}, \"a\": true, \"\\u0061b\": false}",
                             R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude00")",
                             "\"caf\xC3\xA9 \xF0\x9F\x98\x80 \x7F\"",
                             "123456789012345678901234567890"})
        CHECK(reads(text));
}

TEST_CASE("texts that another parser refuses are refused") {
    for (const char* text : {"",
                             "{",
                             "[1, 2",
                             "[1,]",
                             "[,1]",
                             "[1 2]",
                             "[01]",
                             "[1.]",
                             "[.5]",
                             "[1e]",
                             "[+1]",
                             "[--1]",
                             "nul",
                             "nulll",
                             "1 2",
                             "{\"a\"}",
                             "{\"a\":1,}",
                             "{a: 1}",
                             "\"a",
                             "\"\\x\"",
                             "\"\\u12g4\"",
                             "\"\n\"",
                             "\"\xC3\"",
                             "\"\\ud83d\"",
                             "\"\\ude00\"",
                             "\"\\ud83d\\u0041\"",
                             "[1e999]",
                             "{\"a\":1]",
                             "\"\xED\xA0\x80\"",
                             "\"\xC0\xAF\"",
                             "[1, 2}"})
        CHECK_FALSE(reads(text));
    CHECK_FALSE(reads(std::string("\"a\0\"", 4)));
    CHECK_FALSE(reads(std::string("\"\\\0\"", 4)));
}

TEST_CASE("nesting of values has a limit") {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    CHECK(reads(nested(64)));
    CHECK_THROWS_AS((void)parse_json(nested(65)), BadJson);
}

TEST_CASE("columns stay text, and know their place") {
    const std::string text = "{\"a\": [10, 20], \"b\": [1, \"2\"]}";
    const JsonValue value = parse_json(text);
    const JsonValue* const column = value.member("a");
    REQUIRE(column != nullptr);
    CHECK(column->kind == Kind::column);
    CHECK(column->size == 2);
    CHECK(column->text.data() == text.data() + 7);
    CHECK(column->text == "10, 20");
    CHECK(value.member("b")->kind == Kind::array);
    CHECK(value.member("c") == nullptr);
    CHECK(column->member("a") == nullptr);
}

TEST_CASE("saved results with changed bytes are read or refused as by another parser") {
    StringSink sink;
    write_saved_result(test::sample_result(), {}, sink);
    const std::string saved = sink.text();
    REQUIRE(reads(saved));
    const std::string bytes = "0123456789,:[]{}\"\\u-+.eE \ntrfn\x01\x80\xC3\xED";
    std::mt19937 random{1};
    int num_read = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string changed = saved;
        for (unsigned k = 0; k <= random() % 3; ++k)
            changed[random() % changed.size()] = bytes[random() % bytes.size()];
        num_read += reads(changed);
    }
    CHECK(num_read > 100);
    CHECK(num_read < 2900);
}

} // namespace bursar::json_parser_test
