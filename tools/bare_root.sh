# Sourced, behind stages.sh, by the commands that need an empty Debian root. Needs root's rights; the mirror,
# proxy, certificates and keys come from this system's apt configuration. TMPDIR decides where the root is.

suite=bookworm
root=$(mktemp -d "${TMPDIR:-/tmp}/bursar-bare.XXXXXX")
chmod 755 "$root" # apt downloads as another user

# Debian's sources of this system, without third-party ones, as lines of "URI SUITE COMPONENT".
debian_sources() {
    apt-get indextargets --format '$(ORIGIN) $(CODENAME) $(REPO_URI) $(RELEASE) $(COMPONENT)' \
        'Created-By: Packages' |
        awk -v suite=$suite '$1 == "Debian" && index($2, suite) == 1 { print $3, $4, $5 }' | sort -u
}

# Copies this system's configuration of the mirror into the root, and nothing else.
configure_apt() {
    debian_sources | sed 's/^/deb /' >"$root/etc/apt/sources.list"
    apt-config dump | grep -E '^Acquire::(https?|Check-|Retries|Force)' \
        >"$root/etc/apt/apt.conf.d/90mirror" || true
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    local path
    for path in /etc/apt/keyrings /etc/apt/trusted.gpg.d /usr/local/share/ca-certificates \
        /etc/ssl/certs/ca-certificates.crt; do
        [ -e "$path" ] || continue
        mkdir -p "$root$(dirname "$path")"
        cp -rL "$path" "$root$(dirname "$path")/"
    done
}

in_root() {
    local variable
    local environment=(PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/bursar LANG=C.UTF-8 CI=true)
    for variable in http_proxy https_proxy no_proxy; do
        [ -z "${!variable:-}" ] || environment+=("$variable=${!variable}")
    done
    chroot "$root" /usr/bin/env -i "${environment[@]}" "$@" </dev/null
}

# Fills the root with the smallest Debian, in which packages can be installed.
make_root() {
    tools/install-packages bare-check
    [ -n "$(debian_sources)" ] || apt-get -q update
    local mirror
    mirror=$(debian_sources | awk -v suite=$suite '$2 == suite { print $1; exit }')
    if [ -z "$mirror" ]; then
        echo "$(basename "$0"): no Debian $suite source in this system's apt configuration" >&2
        return 1
    fi
    debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
        { tail -n 20 "$root.log" >&2; return 1; }
    rm -f "$root.log"
    configure_apt
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/throw-away" # this root need not survive a power cut
}

apt_in_root() {
    in_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 "$@" >/dev/null
}
