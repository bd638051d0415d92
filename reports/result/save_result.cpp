#include "reports/result/saved_metrics.hpp"
#include "reports/result/saved_result.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar::inline reports {
namespace {

class ResultWriter {
  public:
    ResultWriter(const Result& result, bool reproducible, TextSink& sink)
        : result_{result}, reproducible_{reproducible}, json_{sink} {}

    void write() {
        json_.begin_object();
        json_.string("kind", "bursar result");
        json_.integer("schema_version", schema_version);
        run();
        outcome();
        pools();
        json_.key("tenants");
        json_.strings(result_.tenants);
        cells();
        json_.key("metrics");
        write_metrics(result_.metrics, json_);
        jobs();
        stopped();
        timeline();
        repeats();
        json_.end_object();
    }

  private:
    template <class Value>
    void column(std::string_view key, const std::vector<Value>& values) {
        json_.key(key);
        json_.integers(std::span{values});
    }
    void run() {
        const RunFacts& facts = result_.run;
        json_.key("run");
        json_.begin_object();
        json_.string("version", facts.version);
        json_.string("scenario_name", facts.scenario_name);
        json_.hash("scenario_hash", facts.scenario_hash);
        json_.integer("seed", facts.seed);
        if (!reproducible_) {
            json_.integer("wall_ns", facts.wall.count());
            json_.integer("policy_ns", facts.policy_time.count());
            json_.integer("peak_rss_bytes", facts.peak_rss_bytes);
        }
        for (const PolicyLabel& label : policy_labels)
            json_.string(label.name, facts.policy.*label.text);
        json_.strings("price_basis", facts.price_basis);
        json_.strings("warnings", facts.warnings);
        json_.strings("assumed", facts.assumed);
        json_.strings("unmodelled", facts.unmodelled);
        json_.strings("trace_notes", facts.trace_notes);
        json_.key("other_costs");
        json_.begin_array();
        for (const OtherCost& other : facts.other_costs) {
            json_.begin_object();
            json_.string("name", other.name);
            json_.exact("cost", other.cost.count());
            json_.end_object();
        }
        json_.end_array();
        json_.end_object();
    }

    void outcome() {
        json_.key("outcome");
        json_.begin_object();
        json_.integer_or_null("zero_utc_ms", result_.zero_utc_ms);
        json_.integer("end_ms", result_.end.count());
        json_.integer("window_begin_ms", result_.window_begin.count());
        json_.integer("window_end_ms", result_.window_end.count());
        json_.integer("events", result_.events);
        json_.integer("num_started", result_.num_started);
        json_.integer("num_finished", result_.num_finished);
        json_.integer("num_running_at_end", result_.num_running_at_end);
        json_.integer("num_queued_at_end", result_.num_queued_at_end);
        json_.hash("fingerprint", result_.fingerprint);
        json_.end_object();
    }

    void pools() {
        json_.key("pools");
        json_.begin_array();
        for (const ResultPool& pool : result_.pools) {
            json_.begin_object();
            json_.string("name", pool.name);
            json_.string("gpu", pool.gpu);
            json_.string("region", pool.region);
            json_.string("purchase", purchase_names[static_cast<std::size_t>(pool.purchase)]);
            json_.integer("num_nodes", pool.num_nodes);
            json_.integer("gpus_per_node", pool.gpus_per_node);
            json_.integer("rate_nano_usd_per_gpu_hour", pool.rate.count());
            json_.end_object();
        }
        json_.end_array();
    }

    void cells() {
        json_.key("cells");
        json_.begin_array();
        for (const ResultCell& cell : result_.cells) {
            json_.begin_object();
            json_.integer("pool", cell.pool);
            json_.integer_or_null("tenant", cell.tenant);
            json_.string("leaf", name_of(cell.leaf));
            json_.exact("slot_ms", cell.held.count());
            json_.exact("cost", cell.cost.count());
            json_.end_object();
        }
        json_.end_array();
    }

    void jobs() {
        const JobColumns& columns = result_.jobs;
        json_.key("jobs");
        json_.begin_object();
        json_.string("names", columns.names);
        column("name_end", columns.name_end);
        std::vector<std::uint8_t> states;
        for (const JobState state : columns.state)
            states.push_back(static_cast<std::uint8_t>(state));
        column("state", states);
        column("gpus", columns.gpus);
        column("tenant", columns.tenant);
        column("pool", columns.pool);
        column("submit_ms", columns.submit_ms);
        column("start_ms", columns.start_ms);
        column("finish_ms", columns.finish_ms);
        column("work_ms", columns.work_ms);
        if (!columns.stalled_slots.empty())
            column("stalled_slots", columns.stalled_slots);
        if (!columns.gpu_slots.empty())
            column("gpu_slots", columns.gpu_slots);
        if (!columns.level.empty())
            column("level", columns.level);
        if (!columns.last_start_ms.empty())
            column("last_start_ms", columns.last_start_ms);
        json_.end_object();
    }

    void stopped() {
        const StoppedColumns& columns = result_.stopped;
        if (columns.size() == 0)
            return;
        json_.key("stopped_attempts");
        json_.begin_object();
        column("job", columns.job);
        column("pool", columns.pool);
        column("level", columns.level);
        column("start_ms", columns.start_ms);
        column("stop_ms", columns.stop_ms);
        column("kept_ms", columns.kept_ms);
        column("lost_ms", columns.lost_ms);
        if (!columns.stalled_slots.empty())
            column("stalled_slots", columns.stalled_slots);
        json_.end_object();
    }

    void timeline() {
        const TimelineColumns& columns = result_.timeline;
        json_.key("timeline");
        json_.begin_object();
        column("time_ms", columns.time_ms);
        column("pool", columns.pool);
        column("allocated_slots", columns.allocated_slots);
        column("queue_jobs", columns.queue_jobs);
        column("queue_slots", columns.queue_slots);
        json_.end_object();
    }

    void repeats() {
        json_.key("repeat");
        if (!result_.repeats) {
            json_.null();
            return;
        }
        json_.begin_object();
        json_.integer("n", result_.repeats->n);
        json_.key("scalars");
        json_.begin_array();
        for (const RepeatedScalar& scalar : result_.repeats->scalars) {
            json_.begin_object();
            json_.string("name", scalar.name);
            json_.integer("n", scalar.n);
            json_.number_or_null("mean", scalar.mean);
            json_.number_or_null("min", scalar.min);
            json_.number_or_null("max", scalar.max);
            json_.number_or_null("sd", scalar.sd);
            json_.number_or_null("ci95_low", scalar.ci_low);
            json_.number_or_null("ci95_high", scalar.ci_high);
            json_.end_object();
        }
        json_.end_array();
        json_.end_object();
    }

    const Result& result_;
    bool reproducible_;
    JsonWriter json_;
};

} // namespace

void write_saved_result(const Result& result, const OutputOptions& options, TextSink& sink) {
    ResultWriter{result, options.reproducible, sink}.write();
}

} // namespace bursar::inline reports
