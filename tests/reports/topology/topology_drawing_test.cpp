#include <algorithm>

#include <doctest/doctest.h>

#include "models/topology/regular_fabric.hpp"

#include "reports/document/render.hpp"
#include "reports/topology/topology_svg.hpp"
#include "reports/topology/topology_text.hpp"

namespace bursar::topology_drawing_test {
namespace {

constexpr ByteRate gb_s{1e9};

FabricDrawing drawing_of(const Fabric& fabric) {
    FabricDrawing drawing;
    drawing.title = fabric.name;
    drawing.gpu = "X<1>";
    drawing.outline = outline_of(fabric);
    drawing.locality = locality_of(fabric);
    drawing.rates = level_rates(fabric, drawing.locality);
    drawing.num_devices = fabric.devices.size();
    drawing.num_links = fabric.links.size();
    return drawing;
}

/// Racks of 16 nodes on rails, 2:1.
FabricDrawing large(std::int64_t nodes) {
    return drawing_of(make_fabric({"many & \"more\"",
                                   nodes,
                                   8,
                                   8,
                                   gb_s * 450.0,
                                   gb_s * 50.0,
                                   8,
                                   gb_s * 400.0,
                                   {{"rack", 16, {}, 2}},
                                   {},
                                   {}}));
}

std::string tree_of(const FabricDrawing& drawing) {
    StringSink sink;
    put_fabric_tree(drawing, sink);
    return sink.text();
}

std::string svg_of(const FabricDrawing& drawing) {
    StringSink sink;
    put_topology_svg(drawing, sink);
    return sink.text();
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

} // namespace

TEST_CASE("a fabric folds up to one of each part") {
    CHECK(tree_of(large(128)) == R"(fabric                    1,024 X<1>
|- spine (switch)
`- 8 x rack               128 GPUs each
   |- 8 x leaf (switch)   400 GB/s to spine, 0.3 us
   `- 16 x node           8 GPUs each
      |- 8 x nic          50 GB/s to leaf, 0.6 us
      |- nvswitch
      `- 8 x gpu          50 GB/s to nic, 0.5 us
                          450 GB/s to nvswitch, 0.3 us
)");
}

TEST_CASE("parts that differ are drawn separately") {
    const FabricDrawing drawing = large(40); // the last rack has 8 nodes
    REQUIRE(drawing.outline.inside.size() == 2);
    CHECK(drawing.outline.inside[0].count == 2);
    CHECK(drawing.outline.inside[0].gpus == 128);
    CHECK(drawing.outline.inside[1].count == 1);
    CHECK(drawing.outline.inside[1].gpus == 64);
    CHECK(drawing.outline.gpus == 320);
}

TEST_CASE("neighbours of a torus are distinguished from switches") {
    const std::string tree = tree_of(drawing_of(
        make_fabric({"torus", 9, 1, 0, {}, gb_s * 1.0, 1, gb_s * 50.0, {}, {3, 3}, {}})));
    CHECK(tree.find("router (switch)   4 x 50 GB/s to router beside it, 0.3 us") !=
          std::string::npos);
}

TEST_CASE("the levels are a table for people and programs") {
    const FabricDrawing drawing = large(128);
    Document answer;
    answer.command = "catalog topology";
    answer.blocks = {level_table(drawing)};
    const std::string csv = render(answer, AnswerFormat::csv);
    CHECK(csv == "level,groups,gpus,medium,pair,bisection,bisection_by,oversubscription,latency\n"
                 "\"nvlink, node\",128,8,nvlink,4.5e+11,4.5e+11,maximum flow,,6e-07\n"
                 "rack,8,128,network,5e+10,5e+10,maximum flow,1:1,2.8e-06\n"
                 "fabric,1,1024,network,5e+10,2.5e+10,maximum flow,2:1,2.8e-06\n");
}

TEST_CASE("facts that are not specified are null, and the header is complete") {
    FabricBuilder builder{"f"};
    builder.device("top", DeviceKind::network_switch);
    for (const char* gpu : {"node[0]/gpu", "node[1]/gpu"}) {
        builder.device(gpu, DeviceKind::gpu);
        builder.link(gpu, "top", gb_s * 12.0, {});
    }
    const FabricDrawing drawing = drawing_of(builder.take());
    Document answer;
    answer.command = "catalog topology";
    answer.blocks = {level_table(drawing)};
    CHECK(render(answer, AnswerFormat::csv)
              .ends_with("\nfabric,1,2,network,1.2e+10,1.2e+10,maximum "
                         "flow,,\n"));
    const std::string json = render(answer, AnswerFormat::json);
    CHECK(count_of(json, "null") == 7); // a node has one GPU, no adapter and no latencies
    CHECK(json.find("\"-\"") == std::string::npos);
    CHECK(tree_of(drawing).find("12 GB/s to top\n") != std::string::npos);
    CHECK(svg_of(drawing).find(" us<") == std::string::npos);
    answer.blocks = {level_table(large(128))};
    CHECK(render(answer, AnswerFormat::table, 200).find(" oversubscribed ") != std::string::npos);
}

TEST_CASE("a drawing of many nodes is no larger than one of a few, and is well-formed") {
    const std::string few = svg_of(large(32));
    const std::string many = svg_of(large(512));
    CHECK(many.size() < few.size() + 200);
    CHECK(many.find("32 × rack") != std::string::npos);
    CHECK(many.find("many &amp; &quot;more&quot;") != std::string::npos);
    CHECK(many.find("X&lt;1&gt;") != std::string::npos);
    CHECK(many.find("http") == many.find("http://www.w3.org/2000/svg")); // nothing is loaded
    for (const std::string tag : {"svg", "text", "style", "title"}) {
        CAPTURE(tag);
        CHECK(count_of(many, "<" + tag) == count_of(many, "</" + tag + ">"));
    }
    // Leaf to node: eight rails, eight adapters, eight GPUs to them and to their switch; spine.
    CHECK(count_of(many, "<line ") == 8 + 8 + 8 + 8);
}

} // namespace bursar::topology_drawing_test
