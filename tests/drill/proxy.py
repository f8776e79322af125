"""nginx before the two web servers, by the file that we ship: only its ports, name and certificate are others."""

import ssl
import subprocess
from pathlib import Path

from tests.processes import ROOT

SHIPPED = ROOT / "docs" / "deploy" / "nginx.conf"
NAME = "localhost"
PROGRAM = "/usr/sbin/nginx"

MAIN = """\
user root;
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log warn;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


def certificate(folder: Path) -> ssl.SSLContext:
    """Make a certificate of our own for the proxy; return a context that trusts it alone."""
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    request += ["-addext", f"subjectAltName=DNS:{NAME},IP:127.0.0.1"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")]
    subprocess.run([*request, *files], check=True, capture_output=True)
    return ssl.create_default_context(cafile=str(folder / "certificate.pem"))


def site_of(folder: Path, *, webs: list[int], http: int, https: int) -> str:
    """Return the shipped configuration with these ports, and the certificate in the folder."""
    changes = {
        "127.0.0.1:8001": f"127.0.0.1:{webs[0]}",
        "127.0.0.1:8002": f"127.0.0.1:{webs[1]}",
        "listen 80;": f"listen 127.0.0.1:{http};",
        "listen [::]:80;": "",
        "listen 443 ssl;": f"listen 127.0.0.1:{https} ssl;",
        "listen [::]:443 ssl;": "",
        "club.example;": f"{NAME};",
        "/etc/letsencrypt/live/club.example/fullchain.pem": str(folder / "certificate.pem"),
        "/etc/letsencrypt/live/club.example/privkey.pem": str(folder / "key.pem"),
    }
    text = SHIPPED.read_text()
    for shipped, here in changes.items():
        assert shipped in text, f"{SHIPPED.name} has no {shipped!r}: change tests/drill/proxy.py with it"
        text = text.replace(shipped, here)
    return text


def command(folder: Path, *, webs: list[int], http: int, https: int) -> list[str]:
    """Write the configuration into the folder; return the command of the proxy."""
    (folder / "site.conf").write_text(site_of(folder, webs=webs, http=http, https=https))
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder))
    return [PROGRAM, "-c", str(folder / "nginx.conf")]
