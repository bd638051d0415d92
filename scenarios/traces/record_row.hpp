#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/traces/text/csv_writer.hpp"
#include "scenarios/traces/text/text_row.hpp"
#include "scenarios/traces/trace_format.hpp"

namespace bursar { inline namespace scenarios {

/// Fields of a scheduler's record of a job.
enum class RecordField : std::uint8_t {
    job,
    submit,
    duration, ///< s
    gpus,
    cpu_milli,
    memory_mib,
    tenant,
    state, ///< a word of `state_words`
    requested_time,
    gpu_milli, ///< of each GPU
    start,
    finish,
    gpu_type,
    job_class
};

/// A row for a TraceBuilder, made from a record of another form: texts, each with its place in the
/// file.
class RecordRow {
  public:
    static constexpr std::size_t num_fields = 14;

    /// The column of each field.
    static constexpr TraceColumns columns{.submit = 1,
                                          .duration = 2,
                                          .finish = {},
                                          .gpus = 3,
                                          .gpu_milli = {},
                                          .cpu_milli = 4,
                                          .memory_mib = 5,
                                          .gpu_types = {},
                                          .tenant = 6,
                                          .name = 0,
                                          .state = 7,
                                          .requested = 8};

    /// `names` of the columns, with an empty one for each that has none.
    static std::vector<std::string> column_names(std::vector<std::string> names) {
        names.resize(num_fields);
        return names;
    }

    RecordRow() {
        set(RecordField::gpu_milli, "1000", {});
        set(RecordField::cpu_milli, "0", {});
        set(RecordField::memory_mib, "0", {});
    }

    void set(RecordField field, std::string_view text, FieldPlace place) {
        texts_[static_cast<std::size_t>(field)] = text;
        places_[static_cast<std::size_t>(field)] = place;
    }
    void set(RecordField field, std::int64_t number, FieldPlace place) {
        set(field, std::to_string(number), place);
    }
    /// Milliseconds, as seconds.
    void set_seconds(RecordField field, std::int64_t ms, FieldPlace place) {
        set(field, format_seconds(ms), place);
    }

    [[nodiscard]] const std::string& text(RecordField field) const {
        return texts_[static_cast<std::size_t>(field)];
    }
    [[nodiscard]] FieldPlace place(RecordField field) const {
        return places_[static_cast<std::size_t>(field)];
    }

    /// `columns`, with that of `gpu_milli` where the job has parts of GPUs, and with `start` and
    /// `finish` where the record has both.
    [[nodiscard]] TraceColumns columns_with_more() const {
        TraceColumns with = columns;
        if (text(RecordField::gpu_milli) != "1000")
            with.gpu_milli = static_cast<std::size_t>(RecordField::gpu_milli);
        if (!text(RecordField::start).empty() && !text(RecordField::finish).empty()) {
            with.start = static_cast<std::size_t>(RecordField::start);
            with.finish = static_cast<std::size_t>(RecordField::finish);
        }
        return with;
    }

    /// The row; its views stay valid until the next change of this record.
    [[nodiscard]] TextRow row(std::uint64_t line) {
        std::ranges::copy(texts_, fields_.begin());
        return {fields_, line, nullptr, places_, {}, {}};
    }

  private:
    std::array<std::string, num_fields> texts_;
    std::array<FieldPlace, num_fields> places_{};
    std::array<std::string_view, num_fields> fields_{};
};

}} // namespace bursar::scenarios
