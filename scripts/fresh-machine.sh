#!/usr/bin/env bash
# Run make's verbs on a fresh Debian 12: a minimal root made by debootstrap, and a plain clone in it.
#
#     scripts/fresh-machine.sh demo test      as root; WARM=1 copies your cache of weights and wheels in
#
# The root shares this machine's network, so `make down` first: a model server here would be used.
set -euo pipefail

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
root=${FRESH_ROOT:-/var/tmp/nl2sql-fresh}

main() {
    [ "$(id -u)" -eq 0 ] || { echo "This needs root, for chroot." >&2; exit 1; }
    [ ! -e "$root" ] || { echo "$root is there already: unmount what is in it, remove it." >&2; exit 1; }
    debootstrap --variant=minbase --include=ca-certificates,git,make bookworm "$root"
    copy_network_settings
    git clone -q --no-hardlinks "$checkout" "$root/root/nl2sql"
    if [ -n "${WARM:-}" ]; then
        mkdir -p "$root/root/.cache"
        cp -a "${NL2SQL_CACHE:-$HOME/.cache/nl2sql}" "$root/root/.cache/nl2sql"
    fi
    trap finish EXIT
    for folder in proc sys dev; do
        mount --bind "/$folder" "$root/$folder"
    done
    for verb in "$@"; do
        echo "== make $verb"
        time inside "cd /root/nl2sql && make $verb" </dev/null
    done
}

# What a machine behind a proxy or a mirror needs, where this one has it.
copy_network_settings() {
    local file
    for file in /etc/resolv.conf /etc/pip.conf /etc/apt/sources.list /usr/local/share/ca-certificates; do
        [ ! -e "$file" ] || cp -rT "$(realpath "$file")" "$root$file"
    done
    inside update-ca-certificates
}

inside() {
    env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" /bin/bash -c "$1"
}

finish() {
    inside "cd /root/nl2sql && make down" || true
    umount "$root"/{dev,sys,proc}
    echo "Kept for a look: $root"
}

main "$@"
