#pragma once

#include <string>
#include <string_view>

#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {

/// Writes the keys of an object's members, of which "BLOCK.KEY" stands in an object named BLOCK:
/// members of one block follow one another.
class JsonBlocks {
  public:
    explicit JsonBlocks(JsonWriter& json) : json_{json} {}

    /// The key of the next member; its value follows.
    void key(std::string_view name) {
        const std::size_t dot = name.find('.');
        const bool in_block = dot != std::string_view::npos;
        enter(in_block ? name.substr(0, dot) : std::string_view{});
        json_.key(in_block ? name.substr(dot + 1) : name);
    }
    /// Ends the last block.
    void end() { enter({}); }

  private:
    void enter(std::string_view block) {
        if (block == block_)
            return;
        if (!block_.empty())
            json_.end_object();
        if (!block.empty()) {
            json_.key(block);
            json_.begin_object();
        }
        block_ = block;
    }

    JsonWriter& json_;
    std::string block_; ///< the open one; empty: none
};

}} // namespace bursar::reports
