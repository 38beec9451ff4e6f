"""File, variables and options set the same settings, and an error names its place."""

import pytest

from highcardflush.errors import HcfError, TextError
from highcardflush.web.server.settings import LOOPBACK, Settings, load, require_workers, rows

FILE = "port = 1\nhost = '::1'\ntrusted-proxies = ['10.0.0.1/8']\n"


def refused(text: str = "", variables: dict[str, str] | None = None, **options: str) -> HcfError:
    typed_options = {key.replace("_", "-"): value for key, value in options.items()}
    with pytest.raises(HcfError) as error_info:
        load(text, variables or {}, typed_options, "hcf.toml")
    return error_info.value


def test_nothing_said_is_the_default() -> None:
    assert load("", {}, {}) == Settings()


def test_an_option_comes_before_a_variable_and_a_variable_before_the_file() -> None:
    settings = load(FILE, {"HCF_PORT": "2", "HCF_WORKERS": "4", "HCF_KEY": ""}, {"workers": "8", "db": None})
    assert (settings.host, settings.port, settings.workers, settings.db) == ("::1", 2, 8, None)


def test_a_list_is_one_in_the_file_and_has_commas_elsewhere() -> None:
    assert load(FILE, {}, {}).trusted_proxies == ("10.0.0.0/8",)
    assert load(FILE, {"HCF_TRUSTED_PROXIES": "::1, 192.0.2.1"}, {}).trusted_proxies == ("::1/128", "192.0.2.1/32")
    assert load(FILE, {}, {"metrics-from": ""}).metrics_from == ()
    assert load("hosts = ['a.example']", {}, {}).hosts == ("a.example",)
    assert load("", {"HCF_HOSTS": "a.example, b.example"}, {}).hosts == ("a.example", "b.example")
    assert load(FILE, {}, {}).metrics_from == LOOPBACK


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (lambda: refused("port = 'x'"), "hcf.toml: port: read 'x', expected 0 to 65535"),
        (lambda: refused("port = '1'"), "hcf.toml: port: read '1', expected 0 to 65535"),
        (lambda: refused("host = ''"), "hcf.toml: host: read '', expected text"),
        (lambda: refused("trusted-proxies = ['all']"), "hcf.toml: trusted-proxies: read ['all'], expected a list of"),
        (lambda: refused(hosts="https://a.example"), "--hosts: read ['https://a.example'], expected a list of names"),
        (lambda: refused("prot = 1"), "hcf.toml: setting 'prot': expected one of db, key, host, port"),
        (lambda: refused("port ="), "hcf.toml: settings: read Invalid value"),
        (lambda: refused(variables={"HCF_PORT": "70000"}), "HCF_PORT: read '70000', expected 0 to 65535"),
        (lambda: refused(workers="0"), "--workers: read '0', expected 1 to 64"),
        (lambda: refused(log_level="loud"), "--log-level: read 'loud', expected debug or info or warning or error"),
        (lambda: refused(certificate="a.pem"), "certificate and certificate-key: read the certificate alone"),
    ],
)
def test_a_mistake_is_named_by_file_and_key(error: object, message: str) -> None:
    assert callable(error)
    assert str(error()).startswith(message)


def test_several_workers_need_postgresql_and_are_told_so() -> None:
    require_workers(Settings(workers=1), "sqlite")
    require_workers(Settings(workers=2), "postgresql")
    with pytest.raises(TextError, match="workers: read 2 on sqlite, expected 1, or PostgreSQL"):
        require_workers(Settings(workers=2), "sqlite")


def test_every_setting_is_described_and_nothing_shows_a_password() -> None:
    assert [row.key.replace("-", "_") for row in rows()] == list(Settings.__struct_fields__)
    assert all(row.description and row.kind for row in rows())
    assert "guess" not in repr(load("db = 'postgresql://me:guess@there/house'", {}, {}))
