#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/scenarios/traces/read_text.hpp"

namespace bursar::kubectl_json_test {
namespace {

using test::complaint;
using test::read_text;
using Milliseconds = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

/// A pod of two containers in namespace nlp, created at 08:15:00, that ran from `start` to `end`.
struct Pod {
    std::string name{"train-0"};
    std::string owner{R"({"controller": true, "kind": "Job", "name": "train", "uid": "j1"})"};
    std::string start{"08:20:00"};
    std::string end{"09:20:00"};
    std::string phase{"Succeeded"};
    std::string reason{};
    std::string gpus{"4"};
    std::string created{"08:15:00"};
    std::string more{}; // of the metadata
};

std::string on_the_day(const std::string& time) {
    return "\"2024-03-01T" + time + "Z\"";
}

std::string json_of(const Pod& pod) {
    const auto entry = [](const std::string& key, const std::string& time) {
        return time.empty() ? "" : "\"" + key + "\": " + on_the_day(time) + ", ";
    };
    const std::string ran = entry("startedAt", pod.start);
    const std::string ended = entry("finishedAt", pod.end);
    return R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"creationTimestamp": )" +
           on_the_day(pod.created) + ", " + pod.more + R"("name": ")" + pod.name +
           R"(", "namespace": "nlp", "ownerReferences": [)" + pod.owner + R"(], "uid": "u-)" +
           pod.name +
           R"("}, "spec": {"containers": [{"name": "main", "resources": {"limits": {"nvidia.com/gpu": ")" +
           pod.gpus + R"("}, "requests": {"cpu": "7500m", "memory": "64Gi", "nvidia.com/gpu": ")" +
           pod.gpus +
           R"("}}}, {"name": "side", "resources": {"requests": {"cpu": "1", "memory": "536870912"}}}],
             "initContainers": [{"resources": {"requests": {"cpu": "2"}}}]},
             "status": {"containerStatuses": [{"name": "main", "state": {")" +
           (pod.end.empty() ? "running" : "terminated") + R"(": {)" + ended + ran +
           R"("exitCode": 0}}}], "phase": ")" + pod.phase + R"(", "reason": ")" + pod.reason +
           "\"}}";
}

std::string list_of(const Texts& items) {
    std::string text = "{\n\"apiVersion\": \"v1\",\n\"items\": [\n";
    for (std::size_t i = 0; i < items.size(); ++i)
        text += items[i] + (i + 1 < items.size() ? ",\n" : "\n");
    return text + "],\n\"kind\": \"List\", \"metadata\": {\"resourceVersion\": \"\"}\n}\n";
}

std::string killing(const std::string& uid, const std::string& time) {
    return R"({"kind": "Event", "metadata": {"name": "e1", "uid": "e-)" + uid + time +
           R"("}, "reason": "Killing", "eventTime": null, "involvedObject": {"kind": "Pod",
            "uid": ")" +
           uid + R"("}, "lastTimestamp": )" + on_the_day(time) + "}";
}

/// The reasons why objects were left out, a line each.
std::string reasons(const Trace& trace) {
    std::string all;
    for (const std::string& why : trace.left_out)
        all += why.substr(why.find(": ") + 2) + "\n";
    return all;
}

const std::string job =
    R"({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"creationTimestamp": "2024-03-01T08:00:00Z", "name": "train",
        "namespace": "nlp", "uid": "j1"}, "spec": {"parallelism": 3, "template": {"spec": {"containers":
        [{"resources": {"limits": {"nvidia.com/gpu": 2}, "requests": {"cpu": 8}}}]}}}, "status": )";

} // namespace

TEST_CASE("kubectl-json: pods of one owner at one time are a gang, later ones are separate jobs") {
    const Pod retry{.name = "train-2", .start = "09:30:00", .end = "09:30:30", .phase = "Failed"};
    const Pod alone{.name = "shell", .owner = "", .start = "08:15:10", .end = "08:15:11"};
    const Trace trace =
        read_text(list_of({json_of({}),
                           json_of({.name = "train-1", .start = "08:20:05", .end = "09:21:00"}),
                           json_of(retry),
                           json_of(alone)}));
    CHECK(trace.format == "kubectl-json");
    CHECK(trace.zero_utc_ms == 1'709'280'900'000);
    CHECK(trace.gpus == std::vector<std::uint32_t>{8, 4, 4});
    CHECK(trace.duration_ms == Milliseconds{3'660'000, 30'000, 1'000});
    CHECK(trace.cpu_milli == std::vector<std::uint32_t>{17'000, 8'500, 8'500});
    CHECK(trace.memory_mib == std::vector<std::uint32_t>{132'096, 66'048, 66'048});
    CHECK(trace.end == std::vector{JobEnd::completed, JobEnd::failed, JobEnd::completed});
    CHECK(trace.tenants == Texts{"nlp"});
    CHECK(trace.name(0) == "train");
    CHECK(trace.name(1) == "train (2)");
    CHECK(trace.name(2) == "shell");
    CHECK(trace.assumed == Texts{"2 pods that their owners ran at one time are 1 gang"});
}

TEST_CASE("kubectl-json: a ReplicaSet's pods are no gang; the platform's faults are node_failed") {
    const std::string loose =
        R"({"controller": true, "kind": "ReplicaSet", "name": "r", "uid": "r1"})";
    const Trace trace = read_text(
        list_of({json_of({.name = "a", .owner = loose}),
                 json_of({.name = "b", .owner = loose, .phase = "Failed", .reason = "Evicted"})}));
    CHECK(trace.gpus == std::vector<std::uint32_t>{4, 4});
    CHECK(trace.end == std::vector{JobEnd::completed, JobEnd::node_failed});
    CHECK(trace.assumed.empty());
}

TEST_CASE("kubectl-json: running pods, unstarted pods and other objects are left out and counted") {
    const Trace trace = read_text(list_of(
        {json_of({}),
         json_of({.name = "p1", .end = "", .phase = "Running"}),
         json_of({.name = "p2", .start = "", .end = "", .phase = "Failed", .reason = "Evicted"}),
         json_of({.name = "p3", .end = "", .phase = "Failed"}),
         json_of({.name = "p4", .owner = "", .end = "", .phase = "Running"}),
         killing("u-p4", "08:40:00"),
         job +
             R"({"completionTime": "2024-03-01T09:30:00Z", "startTime": "2024-03-01T08:10:00Z"}})",
         R"({"kind": "Service", "metadata": {"name": "s"}})"}));
    CHECK(trace.num_left_out == 6);
    CHECK(reasons(trace) ==
          "not over: Running\nnever started: Failed\nits end is unknown\n"
          "an event, which is no job\na Job whose pods are there\nan object of kind Service\n");
    // The pod that an event reports as killed ran for 20 minutes; the Job's creation dates its pod.
    CHECK(trace.duration_ms == Milliseconds{3'600'000, 1'200'000});
    CHECK(trace.end == std::vector{JobEnd::completed, JobEnd::cancelled});
    CHECK(trace.submit_ms == Milliseconds{0, 900'000});
}

TEST_CASE("kubectl-json: a Job without pods is read by its times, for all that run at once") {
    const Trace done = read_text(list_of(
        {job +
         R"({"completionTime": "2024-03-01T09:30:00Z", "startTime": "2024-03-01T08:10:00Z"}})"}));
    CHECK(done.gpus == std::vector<std::uint32_t>{6});
    CHECK(done.cpu_milli == std::vector<std::uint32_t>{24'000});
    CHECK(done.duration_ms == Milliseconds{4'800'000});
    CHECK(done.end == std::vector{JobEnd::completed});
    // A single object, as `kubectl get job train` prints it.
    const Trace failed = read_text(
        job + R"({"conditions": [{"lastTransitionTime": "2024-03-01T08:11:00Z", "status": "True",
                  "type": "Failed"}], "startTime": "2024-03-01T08:10:00Z"}})");
    CHECK(failed.duration_ms == Milliseconds{60'000});
    CHECK(failed.end == std::vector{JobEnd::failed});
    // An array of objects.
    CHECK(read_text("[" + json_of({}) + "]").gpus == std::vector<std::uint32_t>{4});
}

TEST_CASE(
    "kubectl-json: a Job with fewer completions than parallel pods runs no more pods than those") {
    const std::string ran =
        R"({"completionTime": "2024-03-01T09:30:00Z", "startTime": "2024-03-01T08:10:00Z"}})";
    const auto gpus = [&](const std::string& completions) {
        std::string text = job + ran;
        const std::string spec = R"("parallelism": 3)";
        return read_text(text.insert(text.find(spec), R"("completions": )" + completions + ", "))
            .gpus.at(0);
    };
    CHECK(gpus("1") == 2);
    CHECK(gpus("3") == 6);
    CHECK(gpus("9") == 6); // three at one time
    CHECK(gpus("null") == 6);
    std::string text = job + ran;
    text.insert(text.find(R"("parallelism")"), R"("completions": "few", )");
    CHECK(complaint(text).find(": spec.completions: \"few\" is not a number of pods") !=
          std::string::npos);
}

TEST_CASE("kubectl-json: an object that was collected twice counts once, in its last state") {
    const std::string running = json_of({.name = "a", .owner = "", .end = "", .phase = "Running"});
    const std::string over = json_of({.name = "a", .owner = ""});
    const std::string done =
        job + R"({"completionTime": "2024-03-01T09:30:00Z", "startTime": "2024-03-01T08:10:00Z"}})";
    const Trace trace = read_text(list_of({running, done, over, done, running}));
    CHECK(trace.gpus == std::vector<std::uint32_t>{6, 4}); // pods come after Jobs
    CHECK(trace.duration_ms == Milliseconds{4'800'000, 3'600'000});
    CHECK(reasons(trace) == "an earlier state of an object further down, as on line 7\n"
                            "an object that was read further up\n");
    // A repeated collection is read like a single one.
    const Texts items{json_of({}),
                      json_of({.name = "train-1"}),
                      json_of({.name = "p", .owner = "", .end = "", .phase = "Running"}),
                      killing("u-p", "08:40:00")};
    Texts twice = items;
    twice.insert(twice.end(), items.begin(), items.end());
    const Trace one = read_text(list_of(items));
    const Trace two = read_text(list_of(twice));
    CHECK(one.gpus == std::vector<std::uint32_t>{8, 4});
    CHECK(two.gpus == one.gpus);
    CHECK(two.duration_ms == one.duration_ms);
    CHECK(two.assumed == one.assumed);
    CHECK(two.num_left_out == one.num_left_out + items.size());
}

TEST_CASE("kubectl-json: a container that is killed and restarted does not end its pod") {
    // It runs again since 08:30; a pod marked for deletion still ended with the event.
    const Pod on{.owner = "", .start = "08:30:00", .end = "", .phase = "Running"};
    const std::string alone = complaint(list_of({json_of(on), killing("u-train-0", "08:29:00")}));
    CAPTURE(alone);
    CHECK(alone.find("not over: Running") != std::string::npos);
    const Trace late = read_text(list_of({json_of(on),
                                          killing("u-train-0", "08:29:00"),
                                          killing("u-train-0", "08:45:00"),
                                          killing("u-train-0", "08:28:00")}));
    CHECK(late.duration_ms == Milliseconds{900'000});
    Pod deleted = on;
    deleted.start = "08:20:00";
    deleted.more = R"("deletionTimestamp": "2024-03-01T08:41:00Z", )";
    std::string text = json_of(deleted);
    text.replace(text.find("\"running\""), 9, "\"terminated\"");
    const Trace gone = read_text(list_of({text, killing("u-train-0", "08:40:00")}));
    CHECK(gone.duration_ms == Milliseconds{1'200'000});
    CHECK(gone.end == std::vector{JobEnd::cancelled});
}

TEST_CASE("kubectl-json: a Job's creation submits its first pods, not those of a retry") {
    const Trace trace = read_text(list_of(
        {json_of({}),
         json_of(
             {.name = "train-1", .start = "09:31:00", .end = "09:40:00", .created = "09:30:00"}),
         job + "{}}"}));
    CHECK(trace.submit_ms == Milliseconds{0, 5'400'000}); // from 08:00:00, of the Job
    CHECK(trace.name(1) == "train (2)");
}

TEST_CASE("kubectl-json: a restarted container ran from its first start") {
    Pod pod{.owner = ""};
    std::string text = json_of(pod);
    const std::string state = R"("state": {"terminated")";
    text.insert(text.find(state),
                R"("lastState": {"terminated": {"startedAt": "2024-03-01T08:18:00Z",
                                    "finishedAt": "2024-03-01T08:19:00Z"}}, )");
    CHECK(read_text(list_of({text})).duration_ms == Milliseconds{3'720'000});
}

TEST_CASE("kubectl-json: malformed input is reported with its place and key") {
    CHECK(complaint(list_of({json_of({.gpus = "four"})}))
              .find(": spec.containers.[].resources.limits.nvidia.com/gpu: \"four\" is not a "
                    "quantity") != std::string::npos);
    CHECK(complaint(list_of({json_of({.end = "noon"})}))
              .find(": status.containerStatuses.[].state.terminated.finishedAt: "
                    "\"2024-03-01TnoonZ\" is not "
                    "a date and time") != std::string::npos);
    CHECK(complaint(list_of({json_of({.end = "08:19:59"})}))
              .find(": status: ends before it starts") != std::string::npos);
    CHECK(complaint(list_of({json_of({.gpus = "0"})})).empty()); // it requests CPU and memory
    CHECK(complaint("{\n\"apiVersion\": \"v1\",\n\"items\": [}\n") == "t:3:11: this is no JSON");
    CHECK(complaint("{\"apiVersion\": \"v1\", \"items\": []}\n") ==
          "t: no objects of Kubernetes (expected what `kubectl get pods --output=json` prints)");
    CHECK(complaint("[{\"id\": 1}]\n").starts_with("t:1: format: not recognised"));
}

TEST_CASE("kubectl-json: a PodList reads as a List, though its items name no kind") {
    const auto without = [](std::string text, const std::string& part) {
        for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part))
            text.erase(at, part.size());
        return text;
    };
    const std::string pod = without(json_of({}), R"("apiVersion": "v1", "kind": "Pod", )");
    REQUIRE(pod.find("\"Pod\"") == std::string::npos);
    const std::string items = "\"items\": [" + pod + "]";
    const Trace list = read_text(list_of({json_of({})}));
    for (const std::string& text :
         {R"({"kind": "PodList", "apiVersion": "v1", "metadata": {}, )" + items + "}", // the API
          R"({"apiVersion": "v1", )" + items + R"(, "kind": "PodList"})"}) { // sorted keys
        const Trace trace = read_text(text);
        CHECK(trace.gpus == list.gpus);
        CHECK(trace.duration_ms == list.duration_ms);
        CHECK(trace.name(0) == list.name(0));
    }
    const std::string done =
        without(job, R"("kind": "Job", )") +
        R"({"completionTime": "2024-03-01T09:30:00Z", "startTime": "2024-03-01T08:10:00Z"}})";
    CHECK(read_text(R"({"apiVersion": "batch/v1", "items": [)" + done + R"(], "kind": "JobList"})")
              .duration_ms == Milliseconds{4'800'000});
    CHECK(complaint(R"({"apiVersion": "v1", )" + items + R"(, "kind": "List"})")
              .find("no objects of Kubernetes") != std::string::npos);
}

TEST_CASE("kubectl-json: nesting deeper than 500 levels is refused at once") {
    const auto nested = [](int levels) {
        return R"({"apiVersion": "v1", "items": )" + std::string(levels, '[') +
               std::string(levels, ']') + R"(, "kind": "List"})";
    };
    CHECK(complaint(nested(100'000)) == "t:1:530: nested too deeply (at most 500 levels)");
    CHECK(complaint(nested(499)).find("no objects of Kubernetes") != std::string::npos);
    CHECK(complaint(nested(500)).find("nested too deeply") != std::string::npos);
}

TEST_CASE("kubectl-json: parts of GPUs are not counted, but named") {
    std::string text = json_of({});
    const std::string limit = R"("limits": {"nvidia.com/gpu")";
    text.insert(text.find(limit) + 11, R"("nvidia.com/mig-1g.10gb": "1", )");
    const Trace trace = read_text(list_of({text}));
    CHECK(trace.assumed == Texts{"requests of nvidia.com/mig-1g.10gb are not counted: they are no "
                                 "whole GPUs of NVIDIA or AMD"});
}

} // namespace bursar::kubectl_json_test
