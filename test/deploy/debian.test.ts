/** The Debian package agrees with itself and with the program, without being installed. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { DEB_VERSION, stageDeb } from "../../scripts/stage-deb.ts";
import { rootCommand } from "../../src/cli/commands/root.ts";
import { checkConfiguration } from "../../src/configuration/configuration.ts";
import { ROOT } from "./read-dockerfile.ts";

const SCRIPTS = ["postinst", "prerm", "postrm"];
const CONFIGURATION = "/etc/trellis/trellis.config.json";

let home: string;
let stage: string;
before(async () => {
  home = await mkdtemp(join(tmpdir(), "trellis-deb-"));
  stage = join(home, "stage");
  const [binary, licenses] = [join(home, "trellis"), join(home, "licenses.txt")];
  await writeFile(binary, "#!/bin/sh\n");
  await writeFile(licenses, "MIT\n");
  const date = new Date("2026-08-21T10:00:00Z");
  await stageDeb(stage, { binary, licenses, architecture: "amd64", date });
});
after(() => rm(home, { recursive: true, force: true }));

const readStaged = (path: string) => readFile(join(stage, path), "utf8");

/** The settings of the unit by their names; one that is given twice has both values. */
async function readUnit(): Promise<Map<string, string>> {
  const settings = new Map<string, string>();
  for (const line of (await readStaged("usr/lib/systemd/system/trellis.service")).split("\n")) {
    const [, name, value = ""] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    settings.set(name, [settings.get(name), value].filter((part) => part !== undefined).join(" "));
  }
  return settings;
}

test("the service runs the program of the package, in the folder of its configuration", async () => {
  const unit = await readUnit();
  const [program = "", command = "", ...options] = (unit.get("ExecStart") ?? "").split(" ");
  assert.equal((await stat(join(stage, program))).mode & 0o777, 0o755);
  assert.ok(command in rootCommand.commands, command);
  assert.deepEqual(options, ["--operator"]);
  assert.equal(unit.get("WorkingDirectory"), dirname(CONFIGURATION));
  assert.equal(await readStaged("DEBIAN/conffiles"), `${CONFIGURATION}\n`);
  const settings: unknown = JSON.parse(await readStaged(CONFIGURATION));
  const { dataDir, sync, http } = checkConfiguration(settings, "of the package");
  assert.equal(dataDir, `/var/lib/${unit.get("StateDirectory")}`);
  assert.ok(sync !== undefined);
  assert.ok(sync.backup?.to.startsWith(`${dataDir}/`), "backups are where the service may write");
  assert.ok(Number(unit.get("TimeoutStopSec")) > http.stopSeconds);
});

test("the service has no privileges, and writes into its state directory alone", async () => {
  const unit = await readUnit();
  const user = unit.get("User") ?? "root";
  assert.match(await readStaged("DEBIAN/postinst"), new RegExp(`useradd --system [^;]*${user}\n`));
  const expected = {
    CapabilityBoundingSet: "",
    AmbientCapabilities: "",
    NoNewPrivileges: "yes",
    ProtectSystem: "strict",
    ProtectHome: "yes",
    PrivateTmp: "yes",
    PrivateDevices: "yes",
    RestrictNamespaces: "yes",
    StateDirectoryMode: "0700",
    UMask: "0077",
    SystemCallFilter: "@system-service ~@privileged @resources",
  };
  for (const [name, value] of Object.entries(expected)) assert.equal(unit.get(name), value, name);
  assert.equal(unit.has("ReadWritePaths"), false);
});

test("the scripts of the package are sound, and delete nothing", async () => {
  for (const name of SCRIPTS) {
    const path = join(stage, "DEBIAN", name);
    assert.equal((await stat(path)).mode & 0o777, 0o755, name);
    execFileSync("sh", ["-n", path]);
    const lines = (await readFile(path, "utf8")).split("\n");
    assert.deepEqual(lines.slice(0, 2), ["#!/bin/sh", "set -e"]);
    const commands = lines.filter((line) => !/^\s*(?:echo|#)/.test(line));
    assert.doesNotMatch(commands.join("\n"), /\b(?:rm|userdel|deluser)\b/, name);
  }
  assert.match(await readStaged("DEBIAN/postrm"), /echo "Kept \/var\/lib\/trellis/);
});

test("the manual has every command", async () => {
  const page = gunzipSync(
    await readFile(join(stage, "usr/share/man/man1/trellis.1.gz")),
  ).toString();
  for (const command of ["demo", "sync account create", "release publish", "store copy"]) {
    assert.ok(page.includes(`\n.B trellis ${command}\n`), command);
  }
  assert.ok(page.includes("\n.B \\-\\-config FILE\n"), "common options");
  assert.doesNotMatch(page, /^\.(?![A-Z]|nf|fi)/m);
});

test(
  "dpkg-deb makes a package of it",
  { skip: spawnSync("dpkg-deb", ["--version"]).error !== undefined && "needs dpkg-deb" },
  async () => {
    const file = join(home, "trellis.deb");
    execFileSync("dpkg-deb", ["--root-owner-group", "-Znone", "--build", stage, file]);
    const read = (...words: string[]) =>
      execFileSync("dpkg-deb", words, { encoding: "utf8" }).trim();
    assert.equal(read("--field", file, "Package"), "trellis");
    assert.equal(read("--field", file, "Version"), DEB_VERSION);
    assert.match(read("--field", file, "Depends"), /\blibatomic1\b/);
    const listed = read("--contents", file).split("\n");
    assert.ok(
      listed.every((line) => / root\/root /.test(line)),
      "all of it is root's",
    );
    for (const path of ["usr/bin/trellis", CONFIGURATION.slice(1)]) {
      assert.ok(
        listed.some((line) => line.endsWith(` ./${path}`)),
        path,
      );
    }
    const about = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
      version: string;
    };
    assert.equal(DEB_VERSION.replaceAll("~", "-"), about.version);
  },
);
