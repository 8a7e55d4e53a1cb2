/**
 * Checks the package of `npm run build:deb` as far as a machine without systemd can: with lintian and
 * systemd-analyze where they are installed, and, as root, by installing, upgrading and purging it in a Debian
 * root folder: `debootstrap --variant=minbase --include=libatomic1,libstdc++6 bookworm ROOT`, then
 * `npm run check:deb -- ROOT`.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEB_VERSION } from "./stage-deb.ts";

const ROOT = join(import.meta.dirname, "..");
const STAGE = join(ROOT, ".cache/deb");

/** Runs inside the root folder, with ports of its own, since the network is that of the machine. */
const JOURNEY = `
set -eu
export TRELLIS_SYNC_LISTEN_PORT=48110 TRELLIS_OPERATOR_LISTEN_PORT=48900 DEBIAN_FRONTEND=noninteractive
as_trellis() { (cd /etc/trellis && setpriv --reuid=trellis --regid=trellis --clear-groups -- "$@"); }
expect() { echo "--- $1"; shift; "$@" || { echo "failed: $*" >&2; exit 1; }; }

dpkg --purge trellis >/dev/null 2>&1 || true
rm -rf /var/lib/trellis
expect "install" dpkg --install /trellis.deb
expect "version" trellis --version
expect "configuration for its user alone" test "$(stat -c %a:%U:%G /etc/trellis/trellis.config.json)" = 640:root:trellis
expect "data for its user alone" test "$(stat -c %a:%U /var/lib/trellis)" = 700:trellis
printf '%s\\n' 'correct horse battery staple' |
  as_trellis trellis sync account create --username ada --password-stdin
(cd /etc/trellis && exec setpriv --reuid=trellis --regid=trellis --clear-groups -- trellis serve --operator) >/tmp/serve.log &
server=$!
for attempt in $(seq 100); do if as_trellis trellis ready 2>/dev/null; then break; fi; sleep 0.2; done
expect "ready" as_trellis trellis ready
expect "backup" as_trellis trellis sync backup /var/lib/trellis/one.backup
kill "$server"
expect "stops by a signal" wait "$server"
expect "install again" dpkg --install /trellis.deb
expect "remove" dpkg --remove trellis
expect "configuration stays" test -f /etc/trellis/trellis.config.json
expect "purge" dpkg --purge trellis
expect "configuration is gone" test ! -e /etc/trellis
expect "data stays" test -f /var/lib/trellis/instance.key -a -f /var/lib/trellis/one.backup
expect "install over old data" dpkg --install /trellis.deb
expect "the account is still there" as_trellis trellis sync status
dpkg --purge trellis
rm -r /var/lib/trellis
userdel trellis
`;

const machine = execFileSync("dpkg", ["--print-architecture"], { encoding: "utf8" }).trim();
const file = join(ROOT, "build", `trellis_${DEB_VERSION}_${machine}.deb`);
run("dpkg-deb", ["--info", file]);
run("dpkg-deb", ["--contents", file]);
if (isInstalled("lintian")) {
  // Node has its libraries inside, and the publisher of the package gives an address in DEBEMAIL.
  const accepted = [
    "embedded-library",
    "hardening-no-pie",
    "bogus-mail-host",
    "bogus-mail-host-in-debian-changelog",
  ];
  run("lintian", ["--suppress-tags", accepted.join(), "--fail-on", "error", file]);
}
if (isInstalled("systemd-analyze")) {
  // The program is not installed on this machine, so the checked unit names the one that is packed.
  const unit = readFileSync(join(STAGE, "usr/lib/systemd/system/trellis.service"), "utf8");
  const folder = mkdtempSync(join(tmpdir(), "trellis-unit-"));
  const path = join(folder, "trellis.service");
  writeFileSync(path, unit.replace("=/usr/bin/trellis ", `=${STAGE}/usr/bin/trellis `));
  run("systemd-analyze", ["verify", "--man=no", path]);
  run("systemd-analyze", ["security", "--offline=true", "--threshold=25", path]);
  rmSync(folder, { recursive: true });
}
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.log("Not installed: name a Debian root folder to try it there");
} else {
  copyFileSync(file, join(folder, "trellis.deb"));
  run("unshare", [
    "--mount",
    "--pid",
    "--fork",
    `--mount-proc=${join(folder, "proc")}`,
    "chroot",
    folder,
    "sh",
    "-c",
    JOURNEY,
  ]);
  rmSync(join(folder, "trellis.deb"));
}
console.log("The package is good");

function run(program: string, words: readonly string[]): void {
  console.log(`$ ${program} ${words.slice(0, 6).join(" ")}`);
  const { status, error } = spawnSync(program, words, { stdio: "inherit" });
  if (status !== 0) throw new Error(`${program} failed with ${status}`, { cause: error });
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"]).error === undefined;
}
