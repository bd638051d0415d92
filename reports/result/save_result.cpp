#include "reports/result/content_hash.hpp"
#include "reports/result/member_io.hpp"
#include "reports/result/saved_members.hpp"
#include "reports/result/saved_metrics.hpp"
#include "reports/result/saved_result.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {

void write_saved_result(const Result& result, const OutputOptions& options, TextSink& sink) {
    using namespace saved;
    HashedSink hashed{sink};
    JsonWriter json{hashed};
    MemberWriter io{json, options.reproducible};
    const auto object = [&](std::string_view key, const auto& members) {
        json.key(key);
        json.begin_object();
        members();
        json.end_object();
    };
    json.begin_object();
    json.string("kind", "bursar result");
    json.integer("schema_version", schema_version);
    object("run", [&] { run_members(io, result.run); });
    object("outcome", [&] { outcome_members(io, result); });
    io.list("pools", result.pools, [](auto& one, const auto& pool) { pool_members(one, pool); });
    io.strings("tenants", result.tenants);
    io.list("cells", result.cells, [&](auto& one, const auto& cell) {
        cell_members(one, cell, result);
    });
    if (!result.modelled.empty())
        io.list("modelled", result.modelled, [&](auto& one, const auto& modelled) {
            modelled_members(one, modelled, result);
        });
    json.key("metrics");
    write_metrics(result.metrics, json);
    object("jobs", [&] { job_members(io, result.jobs, result.modelled.size()); });
    if (result.stopped.size() > 0)
        object("stopped_attempts", [&] { stopped_members(io, result.stopped); });
    if (!result.places.empty())
        object("places", [&] { place_members(io, result.places); });
    if (!result.phases.empty())
        object("phases", [&] { phase_members(io, result.phases); });
    object("timeline", [&] { timeline_members(io, result.timeline); });
    if (result.periods.size() > 0)
        object("periods", [&] { period_members(io, result.periods); });
    if (result.repeats) {
        object("repeat", [&] { repeat_members(io, *result.repeats); });
    } else {
        json.key("repeat");
        json.null();
    }
    json.hash(content_hash_key, hashed.hash());
    json.end_object();
    hashed.flush();
}

}} // namespace bursar::reports
