import { spawnSync } from "node:child_process";

/** Finds a Python 3 that has `cryptography`; Debian installs that for its own Python alone. */
export function findPython(): string | null {
  const candidates = ["python3", "/usr/bin/python3"];
  const hasPackage = (python: string) =>
    spawnSync(python, ["-c", "import cryptography"]).status === 0;
  return candidates.find(hasPackage) ?? null;
}
