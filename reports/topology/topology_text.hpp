#pragma once

#include "reports/document/document.hpp"
#include "reports/text/text_sink.hpp"
#include "reports/topology/fabric_outline.hpp"

namespace bursar { inline namespace reports {

/// The locality levels of a fabric as a table of an answer; key and title are the caller's.
[[nodiscard]] ReportTable level_table(const FabricDrawing& drawing);

/// The enclosures and devices of a fabric as a tree, links beside the devices they leave from.
void put_fabric_tree(const FabricDrawing& drawing, TextSink& sink);

/// "3 x 450 GB/s to nvswitch, 0.3 us": the links of one device of a row.
[[nodiscard]] std::string link_text(const OutlineLink& link);

/// "50 GB/s": a rate as people read it.
[[nodiscard]] std::string rate_text(ByteRate rate);

/// "0.3 us".
[[nodiscard]] std::string latency_text(Seconds latency);

/// "7:1".
[[nodiscard]] std::string oversubscription_text(double oversubscription);

}} // namespace bursar::reports
