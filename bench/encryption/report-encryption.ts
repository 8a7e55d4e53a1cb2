import { describeRun, tableOf, type ReportStyle } from "../tables.ts";

const TARGET_BUNDLE_KILOBYTES = 14;

export interface EncryptionReport {
  /** What a client with encryption takes, as a multiple of what one without takes. */
  readonly rows: readonly {
    readonly what: string;
    readonly ratio: number;
    /** The greatest ratio that is allowed. */
    readonly bound: number;
  }[];
  /** What encryption adds to the bundle of an app, compressed. */
  readonly bundleKilobytes: number;
}

export function renderEncryptionReport(
  { rows, bundleKilobytes }: EncryptionReport,
  style: ReportStyle,
): string {
  return [
    describeRun("Devices and servers share the cores."),
    "What a client with encryption takes, as a multiple of what one without takes",
    tableOf(style)(
      ["what", "ratio", "at most", ""],
      rows.map(({ what, ratio, bound }) => [
        what,
        ratio.toFixed(2),
        bound.toFixed(1),
        ratio > bound ? "above target" : "",
      ]),
    ),
    `Encryption adds ${bundleKilobytes.toFixed(1)} KB to a browser bundle, compressed (target ${TARGET_BUNDLE_KILOBYTES} KB)${bundleKilobytes > TARGET_BUNDLE_KILOBYTES ? ": above target" : ""}`,
  ].join("\n\n");
}
