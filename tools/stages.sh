# Sourced by the commands in this folder: named stages with their time, and the name of the one
# that failed.

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

say_failed_stage() {
    local status=$?
    if [ $status -ne 0 ] && [ -n "$stage_name" ]; then
        printf '\n%s: FAILED in "%s" after %d s\n' \
            "$stage_script" "$stage_name" $((SECONDS - started)) >&2
    fi
}
trap say_failed_stage EXIT

# Configures and builds preset $1; what follows it goes to the configuration. `--fresh`: what is
# built must not depend on what an older configuration of this folder remembers (compiled files are
# kept). Compiles through ccache where that is installed.
build_preset() {
    if command -v ccache >/dev/null; then
        export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
    fi
    local preset=$1
    local log=build/$preset/configure.log
    mkdir -p "build/$preset"
    if ! cmake --preset "$preset" --fresh "${@:2}" >"$log" 2>&1; then
        cat "$log" >&2
        return 1
    fi
    grep -E 'compiler identification|CUDA sources' "$log" || true
    local quiet=()
    [ -t 1 ] || quiet=(--quiet)
    cmake --build --preset "$preset" --parallel "$(nproc)" -- "${quiet[@]}"
}
