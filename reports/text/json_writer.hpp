#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>

#include "models/units/int128.hpp"

#include "reports/text/escape.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// Writes JSON in the order of the calls: indented by two spaces, arrays of numbers in one line.
/// The caller keeps the shape right: a key before each member of an object, as many ends as begins.
class JsonWriter {
  public:
    explicit JsonWriter(TextSink& sink) : sink_{sink} {}

    void begin_object() { begin('{'); }
    void end_object() { end('}'); }
    void begin_array() { begin('['); }
    void end_array() { end(']'); }

    void key(std::string_view name) {
        separate();
        put_json_string(sink_, name);
        sink_.put(": ");
        after_key_ = true;
    }

    void string(std::string_view text) {
        separate();
        put_json_string(sink_, text);
    }
    template <class Integer>
    void integer(Integer value) {
        separate();
        sink_.put_integer(value);
    }
    /// A 128-bit number as a string: JSON readers keep no more than 53 bits of a number.
    void exact(int128 value) {
        separate();
        sink_.put('"');
        sink_.put_integer(value);
        sink_.put('"');
    }
    /// value / 10^6 as a plain decimal.
    void micro(int128 value) {
        separate();
        sink_.put_micro(value);
    }
    /// The shortest decimal that reads back as `value`; finite.
    void number(double value) {
        separate();
        sink_.put_number(value);
    }
    void null() {
        separate();
        sink_.put("null");
    }
    void boolean(bool yes) {
        separate();
        sink_.put(yes ? "true" : "false");
    }

    template <class Integer>
    void integers(std::span<const Integer> values) {
        separate();
        sink_.put('[');
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i > 0)
                sink_.put(',');
            sink_.put_integer(values[i]);
        }
        sink_.put(']');
    }
    /// Each as number() has it, or null where nothing is known; in one line.
    void numbers_or_null(std::span<const std::optional<double>> values);
    void strings(std::span<const std::string> values);

    // A member of an object: the key and its value in one.
    void string(std::string_view name, std::string_view text) {
        key(name);
        string(text);
    }
    template <class Integer>
    void integer(std::string_view name, Integer value) {
        key(name);
        integer(value);
    }
    void exact(std::string_view name, int128 value) {
        key(name);
        exact(value);
    }
    void micro(std::string_view name, int128 value) {
        key(name);
        micro(value);
    }
    void boolean(std::string_view name, bool yes) {
        key(name);
        boolean(yes);
    }
    /// 16 hexadecimal digits.
    void hash(std::string_view name, std::uint64_t value);
    void strings(std::string_view name, std::span<const std::string> values) {
        key(name);
        strings(values);
    }

    /// An object whose members `members()` writes.
    template <class Members>
    void object(const Members& members) {
        begin_object();
        members();
        end_object();
    }
    template <class Members>
    void object(std::string_view name, const Members& members) {
        key(name);
        object(members);
    }
    /// An array with one object per item, whose members `members(item)` writes.
    template <class Items, class Members>
    void objects(std::string_view name, const Items& items, const Members& members) {
        key(name);
        begin_array();
        for (const auto& item : items)
            object([&] { members(item); });
        end_array();
    }
    /// The same for the numbers from 0 to `count` - 1.
    template <class Members>
    void objects(std::string_view name, std::size_t count, const Members& members) {
        objects(name, std::views::iota(std::size_t{0}, count), members);
    }

    // A member that is null where nothing is known.
    template <class Integer>
    void integer_or_null(std::string_view name, const std::optional<Integer>& value) {
        key(name);
        value ? integer(*value) : null();
    }
    void number_or_null(std::string_view name, std::optional<double> value) {
        key(name);
        value ? number(*value) : null();
    }
    void micro_or_null(std::string_view name, std::optional<int128> value) {
        key(name);
        micro_or_null(value);
    }
    void string_or_null(std::string_view name, const std::string* value) {
        key(name);
        value != nullptr ? string(*value) : null();
    }
    void micro_or_null(std::optional<int128> value) { value ? micro(*value) : null(); }

  private:
    void begin(char bracket) {
        separate();
        sink_.put(bracket);
        ++depth_;
        empty_ = true;
    }
    void end(char bracket);

    /// What stands between the last thing written and the next one.
    void separate();
    void new_line();

    TextSink& sink_;
    int depth_{};
    bool empty_{true}; ///< nothing is in the innermost object or array yet
    bool after_key_{};
};

/// Writes the keys of an object's members. "BLOCK.KEY" goes into an object named BLOCK; members of
/// one block follow one another.
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
