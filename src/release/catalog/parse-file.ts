/** What one file of a catalogue holds, or why it cannot be used. */
import { MANIFEST_FILE } from "./files.ts";

export type FileContent =
  | { readonly kind: "json"; readonly value: unknown }
  /** The manifest: served and verified as the exact bytes it is. */
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | FileFault;

export interface FileFault {
  readonly kind: "fault";
  readonly problem: string;
  readonly remedy: string;
}

export function fileFault(problem: string, remedy: string): FileFault {
  return { kind: "fault", problem, remedy };
}

// Editors on Windows still write byte order marks; this decoder takes one off.
const utf8 = new TextDecoder("utf-8", { fatal: true });

export function parseFile(file: string, bytes: Uint8Array): FileContent {
  if (file === MANIFEST_FILE) return { kind: "bytes", bytes };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return fileFault("is not UTF-8 text", "save it as UTF-8");
  }
  try {
    return { kind: "json", value: JSON.parse(text) };
  } catch (error) {
    const { line, column } = placeOf(text, error);
    return fileFault(
      `is not valid JSON: line ${line}, column ${column}: ${reasonOf(error)}`,
      "correct it in the file",
    );
  }
}

const POSITION = /at position (\d+)/;

/** V8 names a position in the text; an end that came too early has none. */
function placeOf(text: string, error: unknown): { line: number; column: number } {
  const named = POSITION.exec(String(error))?.[1];
  const before = text.slice(0, named === undefined ? text.length : Number(named));
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: before.length - lineStart + 1 };
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split(/ in JSON| \(line|, "|, \.\.\./)[0] ?? message;
}
