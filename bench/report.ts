/** The figures of a run, for people, for programs and for the documentation. */
import { arch, availableParallelism, cpus, release as kernel, type as system } from "node:os";
import { compareRates, median, type Measured, type Ratio } from "./measure.ts";

export const TARGETS = { bare: 0.85, catalog: 0.95, loadSeconds: 2, residentMegabytes: 200 };

export interface RouteFigures {
  readonly scenario: string;
  readonly requestsPerSecond: number;
  readonly cpuMicroseconds: number;
  /** Which way of holding the body was faster. */
  readonly bareKind: string;
  readonly bareRequestsPerSecond: number;
  readonly bareCpuMicroseconds: number;
  readonly againstBare: Ratio;
  /** How much processor time the bare server needs for what Trellis needs 1 for. */
  readonly cpuAgainstBare: number;
  readonly meetsTarget: boolean;
  readonly againstNginx: (Ratio & { readonly cpuMicroseconds: number }) | null;
}

export interface CatalogFigures {
  readonly scenario: string;
  readonly largeAgainstSmall: Ratio;
  readonly cpuLargeAgainstSmall: number;
  readonly meetsTarget: boolean;
}

export interface LoadFigures {
  readonly releases: number;
  /** Reading, checking and preparing the catalogue. */
  readonly loadSeconds: number;
  /** From the start of the process to its first answer. */
  readonly startSeconds: number;
  readonly residentMegabytes: number;
  readonly peakMegabytes: number;
  readonly meetsTarget: boolean;
}

export interface Report {
  readonly date: string;
  readonly machine: string;
  readonly versions: string;
  readonly isPinned: boolean;
  readonly routes: readonly RouteFigures[];
  readonly catalog: readonly CatalogFigures[];
  readonly loads: readonly LoadFigures[];
}

/** `measured` are Trellis, the two bare servers, and nginx when it is there. */
export function routeFigures(scenario: string, measured: readonly Measured[]): RouteFigures {
  const named = (name: string) => measured.find((row) => row.name === name);
  const trellis = named("trellis");
  const bares = measured.filter(({ name }) => name.startsWith("bare"));
  const bare = bares.toSorted((a, b) => median(b.rates) - median(a.rates))[0];
  const nginx = named("nginx");
  if (trellis === undefined || bare === undefined) throw new Error("A candidate is missing");
  const againstBare = compareRates(trellis.rates, bare.rates);
  return {
    scenario,
    requestsPerSecond: median(trellis.rates),
    cpuMicroseconds: trellis.cpuMicroseconds,
    bareKind: bare.name.replace("bare ", ""),
    bareRequestsPerSecond: median(bare.rates),
    bareCpuMicroseconds: bare.cpuMicroseconds,
    againstBare,
    cpuAgainstBare: bare.cpuMicroseconds / trellis.cpuMicroseconds,
    meetsTarget: againstBare.median >= TARGETS.bare,
    againstNginx:
      nginx === undefined
        ? null
        : { ...compareRates(trellis.rates, nginx.rates), cpuMicroseconds: nginx.cpuMicroseconds },
  };
}

export function catalogFigures(
  scenario: string,
  [small, large]: readonly Measured[],
): CatalogFigures {
  if (small === undefined || large === undefined) throw new Error("A candidate is missing");
  const largeAgainstSmall = compareRates(large.rates, small.rates);
  return {
    scenario,
    largeAgainstSmall,
    cpuLargeAgainstSmall: small.cpuMicroseconds / large.cpuMicroseconds,
    meetsTarget: largeAgainstSmall.median >= TARGETS.catalog,
  };
}

export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  return `${model}, ${availableParallelism()} cores, ${system()} ${kernel()} ${arch()}`;
}

export function renderReport(report: Report, style: "text" | "markdown"): string {
  const table = style === "markdown" ? markdownTable : textTable;
  const note = report.isPinned
    ? "Server and load generator on a core each."
    : "Server and load generator not pinned: fewer than two cores, or no taskset.";
  const sections = [
    `${report.date} · ${report.machine} · ${report.versions}. ${note}`,
    `Trellis against a bare \`node:http\` server with the same bytes (target ${TARGETS.bare}), and against nginx on the export`,
    table(
      [
        "route",
        "requests/s",
        "CPU µs",
        "bare/s",
        "bare CPU µs",
        "ratio",
        "middle half",
        "CPU ratio",
        "ratio to nginx",
        "",
      ],
      report.routes.map((row) => [
        row.scenario,
        row.requestsPerSecond.toFixed(0),
        row.cpuMicroseconds.toFixed(1),
        `${row.bareRequestsPerSecond.toFixed(0)} (${row.bareKind})`,
        row.bareCpuMicroseconds.toFixed(1),
        row.againstBare.median.toFixed(2),
        spread(row.againstBare),
        row.cpuAgainstBare.toFixed(2),
        row.againstNginx === null ? "-" : row.againstNginx.median.toFixed(2),
        mark(row.meetsTarget),
      ]),
    ),
    ...(report.catalog.length === 0
      ? []
      : [
          `10,000 releases against 10 (target ${TARGETS.catalog})`,
          table(
            ["route", "ratio", "middle half", "CPU ratio", ""],
            report.catalog.map((row) => [
              row.scenario,
              row.largeAgainstSmall.median.toFixed(2),
              spread(row.largeAgainstSmall),
              row.cpuLargeAgainstSmall.toFixed(2),
              mark(row.meetsTarget),
            ]),
          ),
        ]),
    `Loading the catalogue (target ${TARGETS.loadSeconds} s), the whole start of the process up to its first answer, and resident memory after it (target ${TARGETS.residentMegabytes} MB)`,
    table(
      ["releases", "load s", "start s", "resident MB", "peak MB", ""],
      report.loads.map((row) => [
        String(row.releases),
        row.loadSeconds.toFixed(2),
        row.startSeconds.toFixed(2),
        row.residentMegabytes.toFixed(0),
        row.peakMegabytes.toFixed(0),
        mark(row.meetsTarget),
      ]),
    ),
  ];
  return sections.join("\n\n");
}

export function spread({ low, high }: Ratio): string {
  return `${low.toFixed(2)} to ${high.toFixed(2)}`;
}

function mark(meetsTarget: boolean): string {
  return meetsTarget ? "" : "below target";
}

export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [head, ...rows].map(line).join("\n");
}
