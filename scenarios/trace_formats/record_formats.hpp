#pragma once

#include <iosfwd>
#include <string_view>

#include "scenarios/traces/trace_format.hpp"

namespace bursar { inline namespace scenarios {

/// What Slurm's `sacct --parsable2` prints, columns by name and in any order: JobID (or JobIDRaw),
/// Submit, Elapsed (or ElapsedRaw), State and AllocTRES (or ReqTRES, or AllocGRES). Optional:
/// Start, End, Account (else User) as the tenant, and Timelimit (or TimelimitRaw). The delimiter is
/// the character after the first column. Without a header, `columns` of the options has positions.
///
/// Left out and counted: steps of jobs, jobs that never started or have not ended, the earlier runs
/// of a requeued job (its submit is that of the first run), and repeated jobs.
void read_sacct(ByteSource& bytes, TraceBuilder& trace);

/// Whether it begins with a header line with a job, its state, and its run time or exit code.
bool begins_like_sacct(std::string_view beginning);

inline constexpr TraceFormat sacct_format{
    .name = "sacct", .read = read_sacct, .begins_like = begins_like_sacct};

/// Accounting logs of PBS (OpenPBS, PBS Professional, Torque): lines of
/// `month/day/year time;type;job;key=value ...`. The record of type E, written when a job ends, is
/// the job: ctime (submit), start and end in seconds since 1970, Resource_List (ngpus, else select,
/// else nodes, else neednodes; ncpus, mem, walltime), user, Exit_status. Records of other types are
/// left out and counted; one of type D says that a user ended the job.
void read_pbs_accounting(ByteSource& bytes, TraceBuilder& trace);

/// Whether it begins with a line of such a log.
bool begins_like_pbs_accounting(std::string_view beginning);

inline constexpr TraceFormat pbs_accounting_format{.name = "pbs-accounting",
                                                   .read = read_pbs_accounting,
                                                   .begins_like = begins_like_pbs_accounting};

/// LSF's lsb.acct: a record a line, fields between blanks, texts in double quotes. A JOB_FINISH
/// record is a job. Its fields have a documented order: the job's id and array index, submit, start
/// and event time (its end) in seconds since 1970, user, hosts and status. GPUs are those of the
/// effective resource requirement (`rusage[ngpus_physical=2]`), which count per host unless /task
/// or /job follows. Records of other types, jobs that never started and requeued ones are left out.
void read_lsb_acct(ByteSource& bytes, TraceBuilder& trace);

/// Whether it begins with the type of such a record.
bool begins_like_lsb_acct(std::string_view beginning);

inline constexpr TraceFormat lsb_acct_format{
    .name = "lsb-acct", .read = read_lsb_acct, .begins_like = begins_like_lsb_acct};

/// What `kubectl get pods,jobs,events --all-namespaces --output=json` prints: a List, an array of
/// its items, or one object. Pods that have ended are the jobs: from their containers' first start
/// to their last end, with the GPUs that they requested, by namespace. Pods of one owner that ran
/// at one time are one gang. A Job without pods in the file is read by its times; events only fill
/// in starts and ends that pods lack.
void read_kubectl_json(ByteSource& bytes, TraceBuilder& trace);

/// Whether this is the beginning of a JSON text with an API version in it.
bool begins_like_kubectl_json(std::string_view beginning);

inline constexpr TraceFormat kubectl_json_format{
    .name = "kubectl-json", .read = read_kubectl_json, .begins_like = begins_like_kubectl_json};

/// Traces of Gavel (stanford-futuredata/gavel): lines of 7 or 10 fields with tabs between, without
/// a header. Read: type of the job, total steps, GPUs, arrival s; the type is the job's name, for
/// `workload.speeds`. Run time is steps / measured steps per second of that type and number of GPUs
/// on `workload.gpu` (TraceOptions::steps), to the millisecond; without these the file is refused,
/// and a job that was not measured is a bad row. So is a weight other than 1, or a deadline (SLO),
/// since what they mean is up to Gavel's policies.
void read_gavel(ByteSource& bytes, TraceBuilder& trace);

/// Whether the first line is such a job.
bool begins_like_gavel(std::string_view beginning);

inline constexpr TraceFormat gavel_format{
    .name = "gavel", .read = read_gavel, .begins_like = begins_like_gavel};

/// Traces of Shockwave (uw-mad-dash/shockwave): Gavel's 10 fields, with the mode of the job after
/// its GPUs and its run time s before its arrival. The mode, `static`, `accordion` or `gns` (how
/// its batch size changes), is its class.
void read_shockwave(ByteSource& bytes, TraceBuilder& trace);

/// Whether the first line is such a job.
bool begins_like_shockwave(std::string_view beginning);

inline constexpr TraceFormat shockwave_format{
    .name = "shockwave", .read = read_shockwave, .begins_like = begins_like_shockwave};

/// The job table of Alibaba's cluster-trace-v2026-spot-gpu (job_info_df.csv), columns by name:
/// job_name, organization (tenant), gpu_model, cpu_request and gpu_request of each worker,
/// worker_num, submit_time s, duration s, job_type (HP or Spot, the class). A request below one GPU
/// is a share of a GPU for each worker.
void read_alibaba_spot(ByteSource& bytes, TraceBuilder& trace);

/// Whether the header has the columns that only this table has.
bool begins_like_alibaba_spot(std::string_view beginning);

inline constexpr TraceFormat alibaba_spot_format{
    .name = "alibaba-spot-csv", .read = read_alibaba_spot, .begins_like = begins_like_alibaba_spot};

/// Workloads of Sia and Pollux (siasosp23/artifacts, petuum/adaptdl): name, time s, application,
/// num_replicas (GPUs) and batch_size. The class is application and batch, `cifar10 2048`. Run time
/// is that of the application's profile (read_pollux_profiles) on `workload.gpu`; without it the
/// file is refused, and a job that was not measured is a bad row.
void read_sia(ByteSource& bytes, TraceBuilder& trace);

/// Whether the header has these columns.
bool begins_like_sia(std::string_view beginning);

inline constexpr TraceFormat sia_format{
    .name = "sia-csv", .read = read_sia, .begins_like = begins_like_sia};

/// Standard Workload Format (Feitelson, Parallel Workloads Archive, version 2.2): 18 numbers a
/// line with blanks between, `;` begins a comment, -1 is unknown. Read: job (1), submit s (2), run
/// time s (4), processors used (5), else requested (8), as GPUs, status (11: 1 completed, 0 failed,
/// 5 cancelled, -1 completed), user (12; the tenant "user N", or "unknown"), the preceding job (17;
/// the job waits for it) and the think time after its end (18). A header comment
/// `; UnixStartTime: N` gives the instant of 0 s; N = 0 is ignored.
void read_swf(ByteSource& bytes, TraceBuilder& trace);

/// Tenants "user N" keep N; other users are numbered from 1. Jobs are numbered from 1 unless all
/// their names are numbers. A job that waits for several has no preceding job. Dates are kept to
/// the second that the header comment can hold.
void write_swf(const Trace& trace, std::ostream& out);

/// Whether this is the first line of such a file: a comment, or 18 fields.
bool begins_like_swf(std::string_view beginning);

inline constexpr TraceFormat swf_format{.name = "swf",
                                        .read = read_swf,
                                        .write = write_swf,
                                        .begins_like = begins_like_swf,
                                        .holds = {.dates = true,
                                                  .names = true,
                                                  .tenants = true,
                                                  .states = true,
                                                  .requested_times = true,
                                                  .one_need = true}};

}} // namespace bursar::scenarios
