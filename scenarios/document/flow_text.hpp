#pragma once

#include <string>
#include <string_view>

#include "scenarios/document/node.hpp"

namespace bursar { inline namespace scenarios {

/// A double-quoted YAML scalar; what could end it or a line is escaped.
std::string yaml_quoted(std::string_view text);

/// A node as YAML in one line, which reads as the same node: "[fifo, {name: las, by: time}]".
std::string flow_text(const Node& node);

}} // namespace bursar::scenarios
