#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include "reports/outputs/registry.hpp"
#include "reports/text/escape.hpp"

#include "tests/reports/support/csv.hpp"
#include "tests/reports/support/sample_result.hpp"

namespace bursar::escape_test {
namespace {

std::string json_string(std::string_view text) {
    StringSink sink;
    put_json_string(sink, text);
    return sink.text();
}

std::string csv_field(std::string_view text) {
    StringSink sink;
    put_csv_field(sink, text);
    return sink.text();
}

std::string rendered(std::string_view output) {
    StringSink sink;
    find_output(output)->write(test::sample_result(), {}, sink);
    return sink.text();
}

} // namespace

TEST_CASE("JSON strings escape what JSON requires, and replace what is not UTF-8") {
    CHECK(json_string("a\"b\\c\n\x01\x7F") == "\"a\\\"b\\\\c\\u000a\\u0001\\u007f\"");
    CHECK(json_string("gr\u00FC\u00DFe \U0001F600") == "\"gr\u00FC\u00DFe \U0001F600\"");
    for (const char* ill_formed :
         {"\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82"})
        CHECK(nlohmann::json::accept(json_string(ill_formed)));
    CHECK(valid_utf8("\xE2\x82") == "\uFFFD\uFFFD");
}

TEST_CASE("CSV fields are quoted where RFC 4180 requires it, and ids are not altered") {
    CHECK(csv_field("plain name") == "plain name");
    CHECK(csv_field("a,b\"c\n<script>") == "\"a,b\"\"c\n<script>\"");
    CHECK(csv_field("a\rb") == "\"a\rb\"");
    CHECK(csv_field("=1+1") == "=1+1");
}

TEST_CASE("Markdown cells hold no markup") {
    CHECK(markdown_cell("a|b\\c\n<i>_x_*y*`z`[l]&amp;") ==
          "a\\|b\\\\c<br>&lt;i&gt;\\_x\\_\\*y\\*\\`z\\`\\[l\\]&amp;amp;");
    CHECK(markdown_cell("\x1b[0m") == "\\\\x1b\\[0m");
}

TEST_CASE("terminals get no control characters, C1 controls or direction marks") {
    CHECK(terminal_text("\x1b[31mred\x07\n") == "\\x1b[31mred\\x07\\n");
    CHECK(terminal_text("\u009b31m") == "\\x9b31m");
    CHECK(terminal_text("a\u202Eb\u2066") == "a\\u202eb\\u2066");
    CHECK(terminal_text("a\u200fb\u061c") == "a\\u200fb\\u061c");
    CHECK(terminal_text("caf\xE9 \u00E9") == "caf\uFFFD \u00E9");
    CHECK(terminal_lines("\x1b[1mbold\x1b[0m\tx\n\x1b[31mred\n\x1b") ==
          "\x1b[1mbold\x1b[0m\tx\n\\x1b[31mred\n\\x1b");
}

TEST_CASE("what is escaped reads back, for any bytes") {
    CHECK(rc::check("JSON and CSV", [](const std::string& bytes) {
        const std::string text = valid_utf8(bytes);
        RC_ASSERT(nlohmann::json::parse(json_string(bytes)).get<std::string>() == text);
        RC_ASSERT(test::parse_csv(csv_field(bytes) + "\n")[0][0] == text);
        RC_ASSERT(valid_utf8(text) == text);
        for (const char c : terminal_text(bytes))
            RC_ASSERT((static_cast<unsigned char>(c) >= 0x20 && c != 0x7F));
    }));
}

TEST_CASE("a hostile name is escaped correctly everywhere") {
    const std::string name = test::hostile_name;
    CHECK(test::parse_csv(rendered("jobs"))[4][0] == name);
    CHECK(test::parse_csv(rendered("jobs"))[4][1] == name);
    CHECK(test::parse_csv(rendered("csv"))[6][4] == name);
    CHECK(test::parse_csv(rendered("tenants"))[3][0] == name);
    CHECK(nlohmann::json::parse(rendered("result"))["tenants"][2] == name);
    CHECK(nlohmann::json::parse(rendered("json"))["warnings"][0] ==
          "tenant " + name + " has one job");
    CHECK(rendered("markdown").find("<script>") == std::string::npos);
    CHECK(rendered("table").find('\x1b') == std::string::npos);
}

} // namespace bursar::escape_test
