# Sourced by ./run and ./test, with the root of the checkout as current folder: finds a Python,
# makes .venv, installs the package and the system libraries that Qt needs. What is there
# already is left alone, so the second time is fast.

QT_OFFSCREEN="libglib2.0-0 libegl1 libgl1 libfontconfig1 libdbus-1-3 libxkbcommon0"
QT_XCB="libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-image0 libxcb-randr0
    libxcb-render-util0 libxcb-shape0 libxcb-sync1 libxcb-xfixes0 libxcb-xkb1
    libxkbcommon-x11-0 libx11-xcb1"

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

find_python() {
    local candidate
    for candidate in "${PYTHON:-python3}" python3.13 python3.12 python3.11 python3.14 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    fail "BPE Studio needs Python 3.11 or newer; install it, or name it: PYTHON=/path/to/python $0"
}

# Installs Debian packages where that is allowed, else prints the line that does it.
apt_install() {
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "Installing with apt-get: $*"
        # The lists may be missing or old; where they cannot be had, those that are there may do.
        apt-get update -qq >&2 || true
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" \
            >/dev/null && return 0
    fi
    say "Missing here are: $*"
    say "On Debian and Ubuntu this installs them:"
    say "    sudo apt-get install -y --no-install-recommends $*"
    return 1
}

make_venv() {
    local python version
    if [ -x .venv/bin/python ] &&
        .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        return
    fi
    python=$(find_python) || exit 1
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        apt_install "python$version-venv" || fail "Then run $0 again."
    fi
    say "Making .venv with $python"
    rm -rf .venv
    "$python" -m venv .venv || fail "The virtual environment could not be made."
}

# install_package EXTRA: `pip install -e .[EXTRA]`, unless that was done for this pyproject.toml.
install_package() {
    local stamp=".venv/.installed${1:+-$1}" wanted
    wanted=$(.venv/bin/python - <<'END'
import hashlib, os, sys
print(hashlib.sha256(open("pyproject.toml", "rb").read()).hexdigest(), sys.version, os.getcwd())
END
    )
    # What tests need includes what the program needs.
    local done_before
    for done_before in "$stamp" .venv/.installed-test; do
        [ "$(cat "$done_before" 2>/dev/null)" = "$wanted" ] && return
    done
    say "Installing the package and what it needs into .venv (once; some minutes)"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -e ".${1:+[$1]}" ||
        fail "pip could not install the package; its message is above."
    printf '%s\n' "$wanted" >"$stamp"
}

# Qt's own parts for which a system library is missing: `offscreen`, or `xcb` for a window.
missing_for() {
    [ "$(uname)" = Linux ] || return 0
    command -v ldd >/dev/null || return 0
    local qt
    qt=$(.venv/bin/python -c 'import importlib.util as u; print(u.find_spec("PySide6").submodule_search_locations[0])') || return 0
    case $1 in
    offscreen) ldd "$qt"/Qt/lib/libQt6Gui.so.6 "$qt"/Qt/lib/libQt6Widgets.so.6 \
        "$qt"/Qt/plugins/platforms/libqoffscreen.so ;;
    xcb) ldd "$qt"/Qt/plugins/platforms/libqxcb.so ;;
    esac 2>/dev/null | grep 'not found'
}

# qt_libraries [xcb]: what Qt needs from the system; false when something is still missing.
qt_libraries() {
    local wanted=""
    [ -n "$(missing_for offscreen)" ] && wanted="$QT_OFFSCREEN"
    [ "${1:-}" = xcb ] && [ -n "$(missing_for xcb)" ] && wanted="$QT_OFFSCREEN $QT_XCB"
    # shellcheck disable=SC2086
    [ -z "$wanted" ] || apt_install $wanted
}
