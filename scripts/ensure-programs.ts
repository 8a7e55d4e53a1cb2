/**
 * Finds the programs that tests need: those that are named, or all. On Debian as root it installs what is
 * missing; elsewhere it says what to install.
 */
import { spawnSync } from "node:child_process";
import { findChromium } from "../test/browser/find-chromium.ts";
import { hasFirefox } from "../test/browser/drive-firefox.ts";
import { hasDisplay, hasWebKit } from "../test/browser/drive-webkit.ts";
import { findPython } from "../test/vectors/find-python.ts";

interface Program {
  /** Debian's packages, of which the first that exists is installed. */
  readonly packages: readonly string[];
  isThere(): boolean;
}

const PROGRAMS: Readonly<Record<string, Program>> = {
  age: { packages: ["age"], isThere: () => runs("age") },
  caddy: { packages: ["caddy"], isThere: () => runs("caddy", "version") },
  // A distribution may have only the whole browser.
  chromium: {
    packages: ["chromium-headless-shell", "chromium"],
    isThere: () => findChromium() !== null,
  },
  curl: { packages: ["curl"], isThere: () => runs("curl") },
  firefox: { packages: ["firefox-esr"], isThere: hasFirefox },
  fish: { packages: ["fish"], isThere: () => runs("fish") },
  git: { packages: ["git"], isThere: () => runs("git") },
  minisign: { packages: ["minisign"], isThere: () => runs("minisign", "-v") },
  nginx: { packages: ["nginx-light"], isThere: () => runs("nginx", "-v") },
  openssl: { packages: ["openssl"], isThere: () => runs("openssl", "version") },
  pgbouncer: { packages: ["pgbouncer"], isThere: () => runs("pgbouncer") },
  // The package brings Python along.
  python: { packages: ["python3-cryptography"], isThere: () => findPython() !== null },
  // WebKitGTK with its driver; its browser has no mode without a window.
  webkit: { packages: ["webkit2gtk-driver"], isThere: hasWebKit },
  xvfb: { packages: ["xvfb"], isThere: hasDisplay },
  zsh: { packages: ["zsh"], isThere: () => runs("zsh") },
};

/** Programs without which tests fail. */
const NEEDED: ReadonlySet<string> = new Set(["chromium", "pgbouncer", "python"]);

const asked = process.argv.slice(2);
const names = asked.length > 0 ? asked : Object.keys(PROGRAMS);
if (findMissing().length > 0 && process.getuid?.() === 0 && runs("apt-get")) install();

const missing = findMissing();
if (missing.length > 0) {
  const packages = missing.map(([, program]) => program.packages[0]).join(" ");
  console.error(
    `Missing: ${missing.map(([name]) => name).join(", ")} (Debian: \`apt-get install ${packages}\`). Browser tests need Chromium, on the PATH or named in CHROMIUM_PATH, the store contract PgBouncer, and the vectors Python 3 with its package cryptography; tests of other programs are skipped without them`,
  );
  process.exitCode = missing.some(([name]) => NEEDED.has(name)) ? 1 : 0;
}

function findMissing(): [string, Program][] {
  return Object.entries(PROGRAMS).filter(
    ([name, { isThere }]) => names.includes(name) && !isThere(),
  );
}

function install(): void {
  console.error(
    `Installing ${findMissing()
      .map(([name]) => name)
      .join(", ")} with apt-get`,
  );
  runApt("update");
  for (const [, { packages }] of findMissing()) {
    packages.some((name) => runApt("install", "-y", "--no-install-recommends", name));
  }
}

function runs(program: string, argument = "--version"): boolean {
  return spawnSync(program, [argument]).error === undefined;
}

function runApt(...words: string[]): boolean {
  const { status } = spawnSync("apt-get", ["-qq", ...words], {
    stdio: ["ignore", "ignore", "inherit"],
    // At this runlevel no server is started that a package has.
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
  });
  return status === 0;
}
