/** Builds `build/trellis_VERSION_ARCHITECTURE.deb` from `build/trellis`, which is made before. */
import { execFileSync } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { DEB_VERSION, stageDeb } from "./stage-deb.ts";

const ROOT = join(import.meta.dirname, "..");
const STAGE = join(ROOT, ".cache/deb");

/** Debian's names of the processors that Node is built for. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: "amd64",
  arm64: "arm64",
  arm: "armhf",
  ppc64: "ppc64el",
  riscv64: "riscv64",
  s390x: "s390x",
};

const architecture = ARCHITECTURES[process.arch];
if (process.platform !== "linux" || architecture === undefined) {
  throw new Error(
    `A Debian package is for Linux on a processor that Debian knows: this is ${process.platform} ${process.arch}`,
  );
}
const seconds = execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: ROOT, encoding: "utf8" });
const date = new Date(Number(seconds) * 1000);
await stageDeb(STAGE, {
  binary: join(ROOT, "build/trellis"),
  licenses: join(ROOT, "build/trellis-licenses.txt"),
  architecture,
  date,
});
const output = join(ROOT, "build", `trellis_${DEB_VERSION}_${architecture}.deb`);
execFileSync("dpkg-deb", ["--root-owner-group", "-Zxz", "-z3", "--build", STAGE, output], {
  stdio: "inherit",
  env: { ...process.env, SOURCE_DATE_EPOCH: seconds.trim() },
});
console.log(`${output}: ${Math.round((await stat(output)).size / 1e6)} MB`);
