#!/bin/sh
# Starts Desk Assistant with its own interpreter, and with nothing of any other Python on this machine.
here=$(readlink -f -- "$0")
root=${here%/bin/*}
unset LD_LIBRARY_PATH PYTHONHOME PYTHONPATH PYTHONSTARTUP PYTHONPLATLIBDIR PYTHONEXECUTABLE PYTHONWARNINGS PYTHONINSPECT
unset PYTHONOPTIMIZE PYTHONBREAKPOINT PYTHONDEBUG PYTHONVERBOSE PYTHONPROFILEIMPORTTIME PYTHONTRACEMALLOC PYTHONMALLOC
# For the helper processes too, which are started with the same environment.
export PYTHONNOUSERSITE=1 PYTHONSAFEPATH=1 PYTHONDONTWRITEBYTECODE=1
if [ -z "$SSL_CERT_FILE$SSL_CERT_DIR" ]; then
    # Where systems keep the certificates with which a download is checked; the library looks in Debian's place alone.
    for file in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/ca-bundle.pem /etc/ssl/cert.pem; do
        if [ -r "$file" ]; then export SSL_CERT_FILE="$file"; break; fi
    done
fi
exec "$root/python/bin/@PYTHON@" -m desk_assistant "$@"
