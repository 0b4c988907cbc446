#!/usr/bin/env bash
# Install the Debian packages that set-up needs; do nothing where all of them are there.
# Needs root or sudo only when something is missing. PG_CONFIG names a server of your own.
set -euo pipefail

log=$(mktemp -t nl2sql-apt.XXXXXX)
conf=/etc/postgresql-common/createcluster.conf

main() {
    local missing
    missing=$(missing_packages)
    if [ -z "$missing" ]; then
        return
    fi
    require_debian "$missing"
    # shellcheck disable=SC2086 # one word per package
    install_packages $missing
    rm -f "$log"
}

missing_packages() {
    command -v g++ >/dev/null || echo g++
    command -v sqlite3 >/dev/null || echo sqlite3
    command -v valgrind >/dev/null || echo valgrind
    has_sqlite_header || echo libsqlite3-dev
    command -v cmake >/dev/null || echo cmake
    command -v ninja >/dev/null || echo ninja-build
    /usr/bin/python3 -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv
    [ -x /usr/sbin/pgbouncer ] || command -v pgbouncer >/dev/null || echo pgbouncer
    has_plpython || plpython_packages
    has_hypopg || hypopg_package
}

# Not needed to ask; nl2sql_explain tries indexes with it where the lists offer it.
has_hypopg() {
    [ -n "${PG_CONFIG:-}" ] || compgen -G '/usr/share/postgresql/*/extension/hypopg.control' >/dev/null
}

hypopg_package() {
    local package
    package=postgresql-$(server_version)-hypopg
    if apt-cache show "$package" >/dev/null 2>&1; then
        echo "$package"
    fi
}

has_sqlite_header() {
    echo '#include <sqlite3ext.h>' | "${CC:-cc}" -E -x c - >/dev/null 2>&1
}

has_plpython() {
    if [ -n "${PG_CONFIG:-}" ]; then
        [ -e "$("$PG_CONFIG" --pkglibdir)/plpython3.so" ]
    else
        compgen -G '/usr/lib/postgresql/*/lib/plpython3.so' >/dev/null
    fi
}

# The server that is installed already, or the newest that the package lists offer.
plpython_packages() {
    local version
    version=$(server_version)
    if [ -n "$version" ]; then
        echo "postgresql-plpython3-$version"
    else
        echo postgresql-plpython3
    fi
}

server_version() {
    compgen -G '/usr/lib/postgresql/*/bin/postgres' | sort -V | tail -n 1 | cut -d/ -f5 || true
}

newest_plpython() {
    apt-cache search --names-only '^postgresql-plpython3-[0-9]+$' | cut -d' ' -f1 | sort -V | tail -n 1
}

require_debian() {
    local packages
    packages=$(tr '\n' ' ' <<<"$1")
    if ! command -v apt-get >/dev/null; then
        echo "These are missing, and apt-get is not here to install them: $packages" >&2
        exit 1
    fi
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        echo "These packages are missing, and there is no sudo. As root run:" >&2
        echo "  apt-get install $packages" >&2
        exit 1
    fi
}

install_packages() {
    echo "Debian packages: $*"
    logged apt-get update -q
    if [[ " $* " == *" postgresql-plpython3 "* ]]; then
        local plpython
        plpython=$(newest_plpython)
        set -- "${@/%postgresql-plpython3/$plpython}" "postgresql-${plpython##*-}"
        echo "PostgreSQL ${plpython##*-}, without a system cluster of its own"
        without_main_cluster "$@"
    else
        apt_install "$@"
    fi
}

# Debian's server package creates and starts a cluster. Nobody asked for one, so it is told
# not to for this one installation, and its settings are put back as they were.
without_main_cluster() {
    apt_install postgresql-common
    as_root cp -p "$conf" "$conf.nl2sql-saved"
    trap 'as_root mv "$conf.nl2sql-saved" "$conf"' EXIT
    echo 'create_main_cluster = false' | as_root tee -a "$conf" >/dev/null
    apt_install "$@"
}

apt_install() {
    logged env DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends "$@"
}

logged() {
    if ! as_root "$@" </dev/null >>"$log" 2>&1; then
        tail -n 15 "$log" >&2
        echo "Failed: $* (all of it: $log)" >&2
        exit 1
    fi
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

main
