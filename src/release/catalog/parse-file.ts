/** What one file of a catalogue holds, or why it cannot be used. */
import { locateJsonError } from "../../contract/locate-json-error.ts";
import { MANIFEST_FILE } from "./files.ts";

export type FileContent =
  | { readonly kind: "json"; readonly value: unknown }
  /** The manifest: served and verified as the exact bytes it is. */
  | { readonly kind: "bytes"; readonly bytes: Buffer<ArrayBuffer> }
  | FileError;

export interface FileError {
  readonly kind: "fault";
  readonly problem: string;
  readonly remedy: string;
}

export function fileError(problem: string, remedy: string): FileError {
  return { kind: "fault", problem, remedy };
}

// Editors on Windows still write byte order marks; this decoder takes one off.
const utf8 = new TextDecoder("utf-8", { fatal: true });

export function parseFile(file: string, bytes: Buffer<ArrayBuffer>): FileContent {
  if (file === MANIFEST_FILE) return { kind: "bytes", bytes };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return fileError("is not UTF-8 text", "save it as UTF-8");
  }
  try {
    return { kind: "json", value: JSON.parse(text) };
  } catch {
    const { line, column } = locateJsonError(text);
    return fileError(
      `is not valid JSON from line ${line}, column ${column} on`,
      "correct it in the file",
    );
  }
}
