#include "reports/text/json_writer.hpp"

#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {

void JsonWriter::hash(std::string_view name, std::uint64_t value) {
    string(name, hash_text(value));
}

void JsonWriter::strings(std::span<const std::string> values) {
    begin_array();
    for (const std::string& value : values)
        string(value);
    end_array();
}

void JsonWriter::numbers_or_null(std::span<const std::optional<double>> values) {
    separate();
    sink_.put('[');
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0)
            sink_.put(',');
        values[i] ? sink_.put_number(*values[i]) : sink_.put("null");
    }
    sink_.put(']');
}

void JsonWriter::end(char bracket) {
    --depth_;
    if (!empty_)
        new_line();
    sink_.put(bracket);
    empty_ = false;
    if (depth_ == 0)
        sink_.put('\n');
}

void JsonWriter::separate() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (depth_ == 0)
        return;
    if (!empty_)
        sink_.put(',');
    empty_ = false;
    new_line();
}

void JsonWriter::new_line() {
    sink_.put('\n');
    for (int i = 0; i < depth_; ++i)
        sink_.put("  ");
}

}} // namespace bursar::reports
