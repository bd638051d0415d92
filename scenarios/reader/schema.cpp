#include "scenarios/reader/schema.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace bursar { inline namespace scenarios {
namespace {

void write_text(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += {'\\', c};
        else if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (static_cast<unsigned char>(c) < 0x20)
            fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    out += '"';
}

/// Always with a point or an exponent, so that it parses as a double.
void write_number(std::string& out, double number) {
    const std::string digits = fmt::format("{}", number);
    out += digits;
    if (digits.find_first_of(".e") == std::string::npos)
        out += ".0";
}

} // namespace

Schema::Schema(const std::vector<std::string>& texts) : kind_{Kind::list} {
    for (const std::string& text : texts)
        items_.emplace_back(text);
}

Schema::Schema(std::initializer_list<Schema> elements) {
    const bool all_members = std::ranges::all_of(elements, &Schema::is_member);
    kind_ = all_members ? Kind::object : Kind::list;
    for (const Schema& element : elements) {
        if (all_members)
            names_.push_back(element.items_[0].text_);
        items_.push_back(all_members ? element.items_[1] : element);
    }
}

Schema Schema::object() {
    Schema schema;
    schema.kind_ = Kind::object;
    return schema;
}

bool Schema::is_member() const {
    return kind_ == Kind::list && items_.size() == 2 && items_[0].kind_ == Kind::text;
}

bool Schema::contains(std::string_view name) const {
    return std::ranges::find(names_, name) != names_.end();
}

Schema& Schema::operator[](std::string_view name) {
    assert(kind_ == Kind::null || kind_ == Kind::object);
    kind_ = Kind::object;
    const auto found = std::ranges::find(names_, name);
    if (found != names_.end())
        return items_[static_cast<std::size_t>(found - names_.begin())];
    names_.emplace_back(name);
    return items_.emplace_back();
}

Schema Schema::take(std::string_view name) {
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end())
        return {};
    const auto item = items_.begin() + (found - names_.begin());
    Schema taken = std::move(*item);
    items_.erase(item);
    names_.erase(found);
    return taken;
}

void Schema::push_back(Schema element) {
    assert(kind_ == Kind::null || kind_ == Kind::list);
    kind_ = Kind::list;
    items_.push_back(std::move(element));
}

void Schema::update(Schema other) {
    assert(other.kind_ == Kind::object);
    for (std::size_t i = 0; i < other.items_.size(); ++i)
        (*this)[other.names_[i]] = std::move(other.items_[i]);
}

std::string Schema::text() const {
    std::string out;
    write(out, 0);
    return out;
}

void Schema::write(std::string& out, std::size_t level) const {
    switch (kind_) {
    case Kind::null:
        out += "null";
        return;
    case Kind::truth:
        out += whole_ != 0 ? "true" : "false";
        return;
    case Kind::whole:
        out += std::to_string(whole_);
        return;
    case Kind::number:
        write_number(out, number_);
        return;
    case Kind::text:
        write_text(out, text_);
        return;
    case Kind::list:
    case Kind::object:
        write_items(out, level);
        return;
    }
}

void Schema::write_items(std::string& out, std::size_t level) const {
    const bool is_object = kind_ == Kind::object;
    out += is_object ? '{' : '[';
    for (std::size_t i = 0; i < items_.size(); ++i) {
        out += i == 0 ? "\n" : ",\n";
        out.append(2 * (level + 1), ' ');
        if (is_object) {
            write_text(out, names_[i]);
            out += ": ";
        }
        items_[i].write(out, level + 1);
    }
    if (!items_.empty()) {
        out += '\n';
        out.append(2 * level, ' ');
    }
    out += is_object ? '}' : ']';
}

}} // namespace bursar::scenarios
