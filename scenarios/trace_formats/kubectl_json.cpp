#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/trace_formats/kube_objects.hpp"
#include "scenarios/trace_formats/record_formats.hpp"
#include "scenarios/trace_formats/state_words.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/record_row.hpp"
#include "scenarios/traces/trace_builder.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Controllers whose pods do not form a gang.
constexpr std::array<std::string_view, 5> loose_owners{
    "ReplicaSet", "DaemonSet", "StatefulSet", "ReplicationController", "Node"};

/// Reasons of pods that were ended by the platform.
constexpr std::array<std::string_view, 7> platform_reasons{"Evicted",
                                                           "NodeLost",
                                                           "NodeShutdown",
                                                           "Shutdown",
                                                           "Terminated",
                                                           "Preempting",
                                                           "UnexpectedAdmissionError"};

bool is_any_of(std::span<const std::string_view> words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

/// A pod that ran and has ended.
struct KubeRun {
    const KubeObject* pod{};
    std::int64_t start{};
    std::int64_t end{};
    std::string_view state;
};

/// The pods of one owner, or one pod.
struct KubeGang {
    std::string name;
    std::vector<KubeRun> runs;
};

class KubeJobs {
  public:
    KubeJobs(const std::vector<KubeObject>& objects, TraceBuilder& trace)
        : objects_{objects}, trace_{trace} {}

    void add() {
        index();
        for (const KubeObject& object : objects_) {
            if (object.problem) {
                Finding problem = *object.problem;
                trace_.add_bad(object.problem_place, problem.path, problem);
            } else if (const KubeObject* const kept = kept_of(object); kept != &object) {
                trace_.leave_out(object.place,
                                 mistake(kept < &object
                                             ? "an object that was read further up"
                                             : "an earlier state of an object further down"));
            } else if (object.kind == "Pod") {
                take_pod(object);
            } else if (object.kind == "Job") {
                take_job(object);
            } else if (object.kind == "Event") {
                trace_.leave_out(object.place, mistake("an event, which is no job"));
            } else {
                trace_.leave_out(object.place, mistake("an object of kind " + object.kind));
            }
        }
        for (KubeGang& gang : gangs_)
            add_gang(gang);
        if (num_gangs_ > 0)
            trace_.assume(fmt::format("{} pods that their owners ran at one time are {} gang{}",
                                      num_pods_in_gangs_,
                                      num_gangs_,
                                      num_gangs_ == 1 ? "" : "s"));
    }

  private:
    /// Indexes the objects by their references.
    void index() {
        for (const KubeObject& object : objects_) {
            if (!object.uid.empty() && !object.problem)
                note_state(object);
            if (object.kind == "Pod")
                owners_.insert(object.owner_uid);
            else if (object.kind == "Job")
                jobs_.emplace(object.uid, &object);
            else if (object.kind == "Event" && object.reason == "Started" && object.start)
                note_start(object);
            else if (object.kind == "Event" && object.reason == "Killing" && object.end)
                note_kill(object);
        }
    }

    /// The state of an object that was collected more than once: the last one in which it has
    /// ended, else the last one.
    void note_state(const KubeObject& object) {
        const auto [kept, is_new] = kept_.emplace(key_of(object), &object);
        if (!is_new && (is_over(object) || !is_over(*kept->second)))
            kept->second = &object;
    }
    void note_start(const KubeObject& event) {
        const auto at = starts_.emplace(event.about_uid, *event.start).first;
        at->second = std::min(at->second, *event.start);
    }
    void note_kill(const KubeObject& event) {
        const auto at = kills_.emplace(event.about_uid, *event.end).first;
        at->second = std::max(at->second, *event.end);
    }

    static std::string key_of(const KubeObject& object) { return object.kind + " " + object.uid; }
    static bool is_over(const KubeObject& object) {
        return object.kind == "Pod" ? object.phase == "Succeeded" || object.phase == "Failed"
                                    : object.end.has_value();
    }

    [[nodiscard]] const KubeObject* kept_of(const KubeObject& object) const {
        const auto kept = kept_.find(key_of(object));
        return kept == kept_.end() ? &object : kept->second;
    }

    /// The time at which an event ended the pod. A container that was killed by a failed probe
    /// starts again: its pod goes on, and its running_since is after the event.
    [[nodiscard]] KubeTime killed_at(const KubeObject& pod) const {
        const auto killed = kills_.find(pod.uid);
        if (killed == kills_.end())
            return std::nullopt;
        const bool ended_it = is_over(pod) || pod.deleted ||
                              (pod.running_since && killed->second > *pod.running_since);
        return ended_it ? KubeTime{killed->second} : std::nullopt;
    }

    void take_pod(const KubeObject& pod) {
        const KubeTime killed = killed_at(pod);
        if (!is_over(pod) && !killed)
            return trace_.leave_out(
                pod.place, mistake("not over: " + (pod.phase.empty() ? "no phase" : pod.phase)));
        KubeRun run;
        run.pod = &pod;
        const auto started = starts_.find(pod.uid);
        if (!pod.start && started == starts_.end())
            return trace_.leave_out(pod.place, mistake("never started: " + pod.phase));
        run.start = pod.start ? *pod.start : started->second;
        if (!pod.end && !killed)
            return trace_.leave_out(pod.place, mistake("its end is unknown"));
        run.end = pod.end ? *pod.end : *killed;
        if (!is_over(pod)) // one of its containers may have ended earlier
            run.end = std::max(run.end, *killed);
        if (run.end < run.start)
            return trace_.add_bad(pod.place, "status", mistake("ends before it starts"));
        run.state = !is_over(pod)                             ? "cancelled"
                    : pod.phase == "Succeeded"                ? "completed"
                    : is_any_of(platform_reasons, pod.reason) ? "node_failed"
                                                              : "failed";
        gang_of(pod).runs.push_back(run);
    }

    KubeGang& gang_of(const KubeObject& pod) {
        const bool is_own = pod.owner_uid.empty() || is_any_of(loose_owners, pod.owner_kind);
        if (is_own)
            return gangs_.emplace_back(KubeGang{pod.name, {}});
        const auto [found, is_new] = gang_by_owner_.emplace(pod.owner_uid, gangs_.size());
        return is_new ? gangs_.emplace_back(KubeGang{pod.owner_name, {}}) : gangs_[found->second];
    }

    /// Reads a Job by its own times if the file has no pod of it.
    void take_job(const KubeObject& job) {
        if (owners_.contains(job.uid))
            return trace_.leave_out(job.place, mistake("a Job whose pods are there"));
        if (!job.start)
            return trace_.leave_out(job.place, mistake("never started"));
        if (!job.end)
            return trace_.leave_out(job.place, mistake("not over: a Job"));
        if (*job.end < *job.start)
            return trace_.add_bad(job.place, "status", mistake("ends before it starts"));
        const std::int64_t width =
            std::min(job.parallelism, job.completions.value_or(job.parallelism));
        KubeRequests all = job.requests;
        for (std::int64_t* const amount : {&all.gpus, &all.cpu_milli, &all.memory_mib})
            if (__builtin_mul_overflow(*amount, width, amount))
                return trace_.add_bad(job.place, "spec.parallelism", mistake("requests too much"));
        add_row(job.name,
                job,
                job.created,
                all,
                *job.end - *job.start,
                job.failed ? "failed" : "completed");
    }

    /// Pods that all ran at one instant are one job; later pods, such as retries, are further jobs.
    void add_gang(KubeGang& gang) {
        std::ranges::stable_sort(gang.runs, {}, &KubeRun::start);
        std::size_t first = 0;
        for (std::size_t num_before = 0; first < gang.runs.size(); ++num_before) {
            std::int64_t first_end = gang.runs[first].end;
            std::size_t last = first + 1;
            for (; last < gang.runs.size() && (gang.runs[last].start < first_end ||
                                               gang.runs[last].start == gang.runs[first].start);
                 ++last)
                first_end = std::min(first_end, gang.runs[last].end);
            const std::span<const KubeRun> runs{gang.runs.data() + first, last - first};
            add_runs(num_before == 0 ? gang.name
                                     : fmt::format("{} ({})", gang.name, num_before + 1),
                     runs,
                     num_before == 0);
            first = last;
        }
    }

    void add_runs(const std::string& name, std::span<const KubeRun> runs, bool is_first) {
        KubeRequests all;
        std::int64_t end = runs.front().end;
        std::string created = runs.front().pod->created;
        std::string_view state = "completed";
        for (const KubeRun& run : runs) {
            all.gpus += run.pod->requests.gpus;
            all.cpu_milli += run.pod->requests.cpu_milli;
            all.memory_mib += run.pod->requests.memory_mib;
            end = std::max(end, run.end);
            created = std::min(created, run.pod->created); // all are in UTC, in one form
            if (state == "completed" || run.state == "node_failed")
                state = run.state;
        }
        // Later pods waited for the earlier ones, not for GPUs.
        if (const auto job = jobs_.find(runs.front().pod->owner_uid);
            is_first && job != jobs_.end())
            created = std::min(created, job->second->created);
        if (runs.size() > 1) {
            ++num_gangs_;
            num_pods_in_gangs_ += runs.size();
        }
        add_row(name, *runs.front().pod, created, all, end - runs.front().start, state);
    }

    void add_row(const std::string& name,
                 const KubeObject& object,
                 const std::string& created,
                 const KubeRequests& all,
                 std::int64_t duration_ms,
                 std::string_view state) {
        const FieldPlace place = object.place;
        RecordRow row;
        row.set(RecordField::job, name, place);
        row.set(RecordField::submit, created, object.created_place);
        row.set_seconds(RecordField::duration, duration_ms, place);
        row.set(RecordField::gpus, all.gpus, place);
        row.set(RecordField::cpu_milli, all.cpu_milli, place);
        row.set(RecordField::memory_mib, all.memory_mib, place);
        row.set(RecordField::tenant, object.space.empty() ? "default" : object.space, place);
        row.set(RecordField::state, state, place);
        trace_.add(row.row(place.line), RecordRow::columns);
    }

    const std::vector<KubeObject>& objects_;
    TraceBuilder& trace_;
    std::unordered_set<std::string> owners_; // of pods
    std::unordered_map<std::string, const KubeObject*> jobs_;
    std::unordered_map<std::string, const KubeObject*> kept_;      // by kind and uid
    std::unordered_map<std::string, std::int64_t> starts_, kills_; // by pod, of events
    std::vector<KubeGang> gangs_;
    std::unordered_map<std::string, std::size_t> gang_by_owner_;
    std::size_t num_gangs_{};
    std::size_t num_pods_in_gangs_{};
};

/// Makes jobs of the objects of a cluster: gangs of pods of one owner that ran at one time, single
/// pods, and Jobs whose pods are gone. Other objects are left out.
void add_kube_jobs(const std::vector<KubeObject>& objects, TraceBuilder& trace) {
    KubeJobs{objects, trace}.add();
}

/// The keys that are read, and the field of each.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kube_keys{
    {{"metadata.name", "job"},
     {"metadata.ownerReferences", "job"},
     {"metadata.creationTimestamp", "submit"},
     {"status.containerStatuses", "start, finish"},
     {"metadata.deletionTimestamp", "state"},
     {"status.startTime", "start"},
     {"status.completionTime", "finish"},
     {"metadata.namespace", "tenant"},
     {"status.phase", "state"},
     {"status.reason", "state"},
     {"status.conditions", "state"},
     {"spec.containers", "gpus, cpu_milli, memory_mib"},
     {"spec.parallelism", "gpus"},
     {"spec.completions", "gpus"}}};

} // namespace

bool begins_like_kubectl_json(std::string_view beginning) {
    const std::size_t at = beginning.find_first_not_of(" \t\r\n");
    return at != std::string_view::npos && (beginning[at] == '{' || beginning[at] == '[') &&
           beginning.find("\"apiVersion\"", at) != std::string_view::npos;
}

void read_kubectl_json(ByteSource& bytes, TraceBuilder& trace) {
    const std::string& file = trace.options().file;
    const std::string text = whole_text(bytes, file);
    trace.begin(RecordRow::column_names({"metadata.name",
                                         "metadata.creationTimestamp",
                                         "status",
                                         "spec.containers",
                                         "spec.containers",
                                         "spec.containers",
                                         "metadata.namespace",
                                         "status.phase",
                                         ""}),
                TimeForm::stamp,
                state_words);
    for (const auto& [key, read_as] : kube_keys)
        trace.note_column(std::string{key}, read_as);
    KubeObjects objects;
    read_json_values(text, file, objects);
    if (objects.objects().empty())
        fail_input(file,
                   mistake("no objects of Kubernetes",
                           "expected what `kubectl get pods --output=json` prints"));
    add_kube_jobs(objects.objects(), trace);
    if (!objects.unread_resources().empty())
        trace.assume(fmt::format("requests of {} are not counted: they are no whole GPUs of NVIDIA "
                                 "or AMD",
                                 fmt::join(objects.unread_resources(), ", ")));
}

}} // namespace bursar::scenarios
