/** A manifest that git has merged as text: it holds two envelopes, and no signature is of both. */
import { MANIFEST_FILE, SIGNED_FILES } from "../../rules/release/catalog-files.ts";
import type { ManifestExplanation } from "./explain-manifest.ts";

/** Null when the text has no conflict markers. */
export function explainMergeConflict(
  text: string,
  /** Its files belong to the manifest of the same side. */
  hasArchive: boolean,
): ManifestExplanation | null {
  const sides = splitSides(text);
  if (sides === null) return null;
  // Clients that saw the later one refuse a manifest that goes back behind it.
  const side =
    sequenceOfEnvelope(sides.theirs) > sequenceOfEnvelope(sides.ours) ? "theirs" : "ours";
  const files = hasArchive ? SIGNED_FILES : [MANIFEST_FILE];
  return {
    problem: "has the conflict markers of a merge",
    remedy: `in the folder of the catalogue run \`git checkout --${side} ${files.join(" ")}\`, which takes the one that was signed last, and then \`trellis release sign\``,
  };
}

type Part = "both" | "ours" | "base" | "theirs";

/** The part that begins after a line which starts with a marker, by the part that the line ends. */
const MARKERS: readonly (readonly [marker: string, ends: readonly Part[], begins: Part])[] = [
  ["<<<<<<<", ["both"], "ours"],
  ["|||||||", ["ours"], "base"],
  ["=======", ["ours", "base"], "theirs"],
  [">>>>>>>", ["theirs"], "both"],
];

function splitSides(text: string): Record<"ours" | "theirs", string> | null {
  const sides: Record<"ours" | "theirs", string[]> = { ours: [], theirs: [] };
  let part: Part = "both";
  let hasConflict = false;
  for (const line of text.split("\n")) {
    const marker = MARKERS.find(([start, ends]) => line.startsWith(start) && ends.includes(part));
    if (marker !== undefined) {
      part = marker[2];
      hasConflict ||= part === "both";
      continue;
    }
    if (part === "both" || part === "ours") sides.ours.push(line);
    if (part === "both" || part === "theirs") sides.theirs.push(line);
  }
  if (!hasConflict) return null;
  return { ours: sides.ours.join("\n"), theirs: sides.theirs.join("\n") };
}

/** It is not verified here: a person chooses by it, and the chosen one is verified afterwards. */
export function sequenceOfEnvelope(envelope: string): number {
  try {
    const { payload } = JSON.parse(envelope) as { payload: string };
    const { sequence } = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as {
      sequence: unknown;
    };
    return typeof sequence === "number" ? sequence : 0;
  } catch {
    return 0;
  }
}
