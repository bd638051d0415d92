#pragma once

#include "reports/text/text_sink.hpp"
#include "reports/topology/fabric_outline.hpp"

namespace bursar { inline namespace reports {

/// A fabric as an SVG document: enclosures as nested boxes, one for all that are alike, devices in
/// rows, links between them, and what the links give at each level. It needs no font, script or
/// style from outside.
void put_topology_svg(const FabricDrawing& drawing, TextSink& sink);

}} // namespace bursar::reports
