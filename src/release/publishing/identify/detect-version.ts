/** The version and the build that a file says it is. */
import type { Detected } from "../../../contract/release/catalog.ts";
import type { Findings } from "./findings.ts";

const MAX_VERSION_CHARACTERS = 128;

/** What says nothing, such as 0.0.0.0 or a text of spaces, is not entered. */
export function detectVersion(
  found: Findings,
  format: Detected["format"],
  text: string | undefined,
  build?: number,
): void {
  // A text may go on behind the version: 1.4.0 (release).
  const version = text?.trim().split(/\s/)[0] ?? "";
  const isVersion =
    /^[\x21-\x7e]+$/.test(version) &&
    !/^[0.]*$/.test(version) &&
    version.length <= MAX_VERSION_CHARACTERS;
  const isBuild = build !== undefined && Number.isSafeInteger(build) && build > 0;
  if (!isVersion && !isBuild) return;
  found.detected = { format, ...(isVersion && { version }), ...(isBuild && { build }) };
}
