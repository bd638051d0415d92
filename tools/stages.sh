# Sourced by the scripts in this folder: named stages with their times, and the name of a stage that fails.

stage_name=""
stage_start=0
stage_script=$(basename "$0")
started=$SECONDS

# Ends the running stage, if any, and begins the one named $1.
stage() {
    end_stage
    stage_name=$1
    stage_start=$SECONDS
    printf '\n=== %s\n' "$stage_name"
}

end_stage() {
    [ -z "$stage_name" ] || printf -- '--- %s: %d s\n' "$stage_name" $((SECONDS - stage_start))
    stage_name=""
}

report_failed_stage() {
    local status=$?
    if [ $status -ne 0 ] && [ -n "$stage_name" ]; then
        printf '\n%s: FAILED in "%s" after %d s\n' \
            "$stage_script" "$stage_name" $((SECONDS - started)) >&2
    fi
}
trap report_failed_stage EXIT

# Configures preset $1 with the options that follow it. `--fresh`: the build must not depend on an older
# configuration in the folder's cache (compiled files are kept).
configure_preset() {
    local preset=$1
    local log=build/$preset/configure.log
    mkdir -p "build/$preset"
    if ! cmake --preset "$preset" --fresh "${@:2}" >"$log" 2>&1; then
        cat "$log" >&2
        return 1
    fi
    grep -E 'compiler identification|CUDA sources' "$log" || true
}

# Configures preset $1 with the options that follow it, and builds it.
build_preset() {
    configure_preset "$@" && build_configured "$1"
}

# Progress of the build that writes to $1: "[12/340] objects".
built_objects() {
    local status
    status=$(grep -oE '^\[[0-9]+/[0-9]+\]' "$1" | tail -n 1)
    if [ -n "$status" ]; then echo "$status objects"; else echo "first objects"; fi
}

build_targets=() # none: everything

# Builds preset $1. On a terminal ninja shows its own status line. Elsewhere a line every 30 s has the progress, and
# the compilers' messages follow if the build fails.
build_configured() {
    local build=(cmake --build --preset "$1" --parallel "$(nproc)")
    [ ${#build_targets[@]} -eq 0 ] || build+=(--target "${build_targets[@]}")
    if [ -t 1 ]; then
        NINJA_STATUS='[%f/%t, %es] ' "${build[@]}"
        return
    fi
    local log=build/$1/build.log
    NINJA_STATUS='[%f/%t] ' "${build[@]}" >"$log" 2>&1 &
    local pid=$! next=$((SECONDS + 30))
    trap 'pkill -P $pid 2>/dev/null; kill $pid 2>/dev/null; exit 143' TERM HUP
    while kill -0 $pid 2>/dev/null; do
        sleep 0.5
        if [ $SECONDS -ge $next ]; then
            printf '    %4d s  %s\n' $((SECONDS - stage_start)) "$(built_objects "$log")"
            next=$((SECONDS + 30))
        fi
    done
    trap - TERM HUP
    if ! wait $pid; then
        grep -vE '^\[[0-9]+/[0-9]+\]' "$log" >&2
        printf 'full output of the build: %s\n' "$log" >&2
        return 1
    fi
}
