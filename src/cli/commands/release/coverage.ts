/** Who gets a release: the table that commands print, and what installations lose. */
import { formatVersions } from "../../../rules/release/app-version.ts";
import type { Coverage, CoverageRow } from "../../../rules/release/coverage/find-coverage.ts";
import type { UpdaterName } from "../../../rules/release/coverage/updaters.ts";
import { flag } from "../../command.ts";
import { formatCount, formatTable } from "../../format.ts";

export const COVERAGE_OPTIONS = {
  "allow-lost-coverage": flag(
    "Publish even if installations that got the last release do not get this one",
  ),
} as const;

const LABELS: Readonly<Record<UpdaterName, string>> = {
  client: "update client",
  electron: "electron-updater",
  tauri: "Tauri",
  sparkle: "Sparkle",
  squirrel: "Squirrel.Mac",
};

const HEADINGS = ["UPDATER", "SYSTEM", "ARCHITECTURE", "PACKAGE", "RESULT"];

/** An updater that no release has a file for takes one line: it may not be used at all. */
export function formatCoverage(coverage: Coverage): string[] {
  const { rows } = coverage;
  if (rows.length === 0) return [];
  const cells = [...Map.groupBy(rows, ({ updater }) => updater)].flatMap(([updater, own]) =>
    own.every(({ result }) => result === "none")
      ? [[LABELS[updater], "all", "-", "-", describeUnused(own)]]
      : own.map(toCells),
  );
  return [`Who gets ${formatVersions(coverage)}:`, ...formatTable([HEADINGS, ...cells])];
}

/** How many kinds of installations get the release, by updater. */
export function summariseCoverage({ version, rows }: Coverage): string {
  const counts = [...Map.groupBy(rows, ({ updater }) => updater)].map(([updater, own]) => {
    const reached = own.filter(({ result }) => result === "gets").length;
    return `${LABELS[updater]} ${reached} of ${own.length}`;
  });
  return `${version}: ${counts.join(", ")} (\`trellis release show ${version}\`)`;
}

function describeUnused(rows: readonly CoverageRow[]): string {
  const reasons = new Set(rows.flatMap(({ reason }) => reason ?? []));
  return `no update: ${[...reasons].join("; ")}`;
}

function toCells(row: CoverageRow): string[] {
  const { updater, system, architecture, package: kind } = row;
  const label = updater === "sparkle" && system === "windows" ? "WinSparkle" : LABELS[updater];
  return [label, system, architecture, kind ?? "-", describeResult(row)];
}

function describeResult(row: CoverageRow): string {
  const { result, version, appVersion, fileName, reason, isLost } = row;
  if (result === "gets") return `gets ${fileName}${reason === null ? "" : ` (${reason})`}`;
  // The update client knows a release by the contract's version, and feeds by the app's.
  const name = row.updater === "client" ? version : (appVersion ?? version);
  const stay = result === "stays" ? `stays on ${name}` : "no update";
  return `${isLost ? "LOST, " : ""}${stay}: ${reason}`;
}

/** What installations lose that the last release was for; null when it is nothing. */
export function describeLost({ version, rows }: Coverage): string | null {
  const lost = rows.filter(({ isLost }) => isLost);
  if (lost.length === 0) return null;
  const names = lost.map((row) => toCells(row).slice(0, 4).join(" ").replace(" -", ""));
  return `${formatCount(lost.length, "kind")} of installations got the last release and would not get ${version} (${names.join(", ")})`;
}
