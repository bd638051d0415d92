#include <doctest/doctest.h>

#include "reports/charts/svg_writer.hpp"

namespace bursar::svg_writer_test {

TEST_CASE("a drawing escapes its texts, and scales as a part of a page") {
    StringSink sink;
    SvgWriter svg{{"c1", "<script>", "a & b", 440, 200.5}, sink};
    svg.text(1,
             2.05,
             "evil \"<b>\"\n\xE2\x80\xAE"
             "end\xFF",
             "label",
             SvgAnchor::end);
    svg.rect_with_tip({0, 0, 10, 20}, "fill s0", "</rect>");
    svg.end();
    const std::string& text = sink.text();
    CHECK(text.find("viewBox=\"0 0 440 200.5\"") != std::string::npos);
    CHECK(text.find(" width=\"440\"") == std::string::npos);
    CHECK(text.find("aria-labelledby=\"c1-title c1-desc\"") != std::string::npos);
    CHECK(text.find("<title id=\"c1-title\">&lt;script&gt;</title>") != std::string::npos);
    CHECK(text.find("evil &quot;&lt;b&gt;&quot;\\n\\u202eend\xEF\xBF\xBD</text>") !=
          std::string::npos);
    CHECK(text.find("<title>&lt;/rect&gt;</title></rect>") != std::string::npos);
}

TEST_CASE("coordinates are as short as a tenth of a pixel allows") {
    CHECK(svg_number(12) == "12");
    CHECK(svg_number(12.34) == "12.3");
    CHECK(svg_number(-0.01) == "0");
    CHECK(SvgPath{}.move_to(1, 2).across_to(3).down_to(4.5).line_to(0, 0).close().text() ==
          "M1 2H3V4.5L0 0Z");
}

TEST_CASE("a name that is too long for its place ends in an ellipsis") {
    CHECK(svg_text_width(svg_cut(std::string(10'000, 'x'), 100)) <= 100);
    CHECK(svg_cut("short", 100) == "short");
    CHECK_FALSE(svg_cut("", 0).size() > 4);
}

} // namespace bursar::svg_writer_test
