#include "reports/compare/compare_columns.hpp"
#include "reports/compare/compare_formats.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

void put_number(TextSink& sink, std::optional<double> value) {
    sink.put(',');
    if (value)
        sink.put_number(*value);
}

void put_difference(TextSink& sink, const Difference& difference) {
    const bool known = difference.pairs > 0;
    put_number(sink, known ? std::optional{difference.mean} : std::nullopt);
    put_number(sink, difference.ci_low);
    put_number(sink, difference.ci_high);
    put_number(sink, difference.relative);
    sink.put(',');
    put_csv_field(sink, name(difference.verdict));
}

} // namespace

void write_compare_csv(const Comparison& comparison,
                       const CompareQuestion& question,
                       std::size_t,
                       TextSink& sink) {
    const std::vector<std::size_t> places = scalars_of(comparison, question);
    sink.put("variant,metric,n,mean,sd,min,max,ci95_low,ci95_high,difference,difference_ci95_low,"
             "difference_ci95_high,relative_difference,verdict\n");
    for (const ComparedVariant& variant : comparison.variants) {
        for (const std::size_t i : places) {
            const RepeatedScalar& scalar = variant.values.scalars[i];
            const bool known = scalar.n > 0;
            put_csv_field(sink, variant.label);
            sink.put(',');
            put_csv_field(sink, scalar.name);
            sink.put(',');
            sink.put_integer(scalar.n);
            put_number(sink, known ? std::optional{scalar.mean} : std::nullopt);
            put_number(sink, scalar.sd);
            put_number(sink, known ? std::optional{scalar.min} : std::nullopt);
            put_number(sink, known ? std::optional{scalar.max} : std::nullopt);
            put_number(sink, scalar.ci_low);
            put_number(sink, scalar.ci_high);
            if (variant.differences.empty())
                sink.put(",,,,,base");
            else
                put_difference(sink, variant.differences[i]);
            sink.put('\n');
        }
    }
}

}} // namespace bursar::reports
