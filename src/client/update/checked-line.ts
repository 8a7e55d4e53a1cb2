/** A line of JSON with its digest, so that damage is not mistaken for content. */
import { encodeBase64Url } from "../../rules/base64url.ts";
import { parseJson } from "../../rules/parse-json.ts";
import { encodeUtf8, sha256 } from "../../rules/web-crypto.ts";

export interface CheckedLine {
  /** Undefined when the line is not JSON. */
  readonly value: unknown;
  /** The line is exactly as it was written. */
  readonly isIntact: boolean;
}

export async function writeCheckedLine(value: object): Promise<string> {
  const text = JSON.stringify(value);
  return `${await digestOf(text)} ${text}`;
}

const CHECKED = /^([\w-]{43}) (.*)$/;

/** A line without a digest is read, but not intact. */
export async function readCheckedLine(line: string): Promise<CheckedLine> {
  const [, digest, text = line] = CHECKED.exec(line) ?? [];
  return { value: parseJson(text), isIntact: digest === (await digestOf(text)) };
}

async function digestOf(text: string): Promise<string> {
  return encodeBase64Url(await sha256(encodeUtf8(text)));
}
