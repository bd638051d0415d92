#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bursar { inline namespace scenarios {

/// A JSON value that describes a rule (JSON Schema, draft-07); members keep their order.
///
/// Braces make one: `{{"type", "integer"}, {"minimum", 1}}` is an object, because all its elements
/// are pairs that begin with a text; any other is a list.
class Schema {
  public:
    Schema() = default; ///< null
    // Implicit, so that braces read as JSON does.
    Schema(bool truth) : kind_{Kind::truth}, whole_{truth ? 1 : 0} {} // NOLINT
    template <std::integral Number>
    Schema(Number whole) // NOLINT
        : kind_{Kind::whole}, whole_{static_cast<std::int64_t>(whole)} {}
    Schema(double number) : kind_{Kind::number}, number_{number} {}         // NOLINT
    Schema(const char* text) : kind_{Kind::text}, text_{text} {}            // NOLINT
    Schema(std::string_view text) : kind_{Kind::text}, text_{text} {}       // NOLINT
    Schema(std::string text) : kind_{Kind::text}, text_{std::move(text)} {} // NOLINT
    Schema(const std::vector<std::string>& texts);                          // NOLINT
    Schema(std::initializer_list<Schema> elements);                         // NOLINT

    static Schema object();

    [[nodiscard]] bool empty() const { return items_.empty(); }
    [[nodiscard]] bool contains(std::string_view name) const;

    /// The member called `name`, added as null if missing. null becomes an object.
    Schema& operator[](std::string_view name);
    /// Removes the member called `name` and returns it; null if there is none.
    Schema take(std::string_view name);
    /// The members' names, and their values in the same order; the elements of a list.
    [[nodiscard]] std::span<const std::string> names() const { return names_; }
    [[nodiscard]] std::span<Schema> items() { return items_; }

    /// Adds an element to a list. null becomes a list.
    void push_back(Schema element);
    /// Adds the members of `other`, replacing those of the same name.
    void update(Schema other);

    /// JSON text, indented by two blanks a level.
    [[nodiscard]] std::string text() const;

  private:
    enum class Kind : std::uint8_t { null, truth, whole, number, text, list, object };
    [[nodiscard]] bool is_member() const;
    void write(std::string& out, std::size_t level) const;
    void write_items(std::string& out, std::size_t level) const;

    Kind kind_{Kind::null};
    std::int64_t whole_{};
    double number_{};
    std::string text_;
    std::vector<std::string> names_; // of an object, one for each item
    std::vector<Schema> items_;
};

}} // namespace bursar::scenarios
