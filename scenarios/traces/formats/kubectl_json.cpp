#include "scenarios/traces/formats/kubectl_json.hpp"

#include <array>
#include <string>
#include <utility>

#include <fmt/ranges.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/traces/bytes/whole_text.hpp"
#include "scenarios/traces/formats/kube_jobs.hpp"
#include "scenarios/traces/formats/state_words.hpp"
#include "scenarios/traces/trace_builder.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The keys that are read, and as what.
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
    trace.begin({"metadata.name",
                 "metadata.creationTimestamp",
                 "status",
                 "spec.containers",
                 "spec.containers",
                 "spec.containers",
                 "metadata.namespace",
                 "status.phase",
                 ""},
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
