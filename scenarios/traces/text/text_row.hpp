#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bursar { inline namespace scenarios {

/// Line and byte column of a field's first byte; both count from 1.
struct FieldPlace {
    std::uint64_t line{};
    std::uint64_t column{};
};

/// One row of a text file as fields. All views end with the next row that is read.
struct TextRow {
    std::span<const std::string_view> fields;
    std::uint64_t line{}; ///< of its first byte
    const char* begin{};  ///< its first byte; unquoted fields are views into its bytes
    std::span<const FieldPlace> places; ///< of every field if the row has quotes; else empty
    std::string_view problem;           ///< why the row is malformed; empty if it is not
    FieldPlace problem_place;

    /// The place of field `index`; one past the last field is the end of the row.
    [[nodiscard]] FieldPlace place(std::size_t index) const {
        if (!places.empty())
            return places[index < places.size() ? index : places.size() - 1];
        const char* const at = index < fields.size() ? fields[index].data()
                                                     : fields.back().data() + fields.back().size();
        return {line, static_cast<std::uint64_t>(at - begin) + 1};
    }
};

}} // namespace bursar::scenarios
