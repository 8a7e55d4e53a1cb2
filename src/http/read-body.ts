/** Reads a request body within its limits; nothing is parsed before the limits hold. */
import type { RawRequest } from "./raw-request.ts";

type BodySource = Pick<RawRequest, "header" | "body">;

export type BodyError =
  | { readonly kind: "unsupported-media-type" }
  | { readonly kind: "too-large" }
  | InvalidJson
  | { readonly kind: "incomplete" };

export interface InvalidJson {
  readonly kind: "invalid-json";
}

export interface BodyRules {
  /** The only accepted media type, without parameters. */
  readonly mediaType: string;
  readonly maxBytes: number;
}

/** The body as it came, in the order: media type, encoding, declared size, real size. */
export async function readBytes(
  source: BodySource,
  rules: BodyRules,
): Promise<{ readonly kind: "bytes"; readonly bytes: Uint8Array } | BodyError> {
  const [mediaType = ""] = (source.header("content-type") ?? "").split(";");
  if (mediaType.trim().toLowerCase() !== rules.mediaType) return { kind: "unsupported-media-type" };
  // A compressed body could grow past every limit.
  if (source.header("content-encoding") !== null) return { kind: "unsupported-media-type" };
  if (Number(source.header("content-length") ?? 0) > rules.maxBytes) {
    return { kind: "too-large" };
  }
  const bytes = await collect(source, rules.maxBytes);
  return bytes instanceof Uint8Array ? { kind: "bytes", bytes } : bytes;
}

/** The body's text: UTF-8, and nothing that only looks like it. */
export async function readText(
  source: BodySource,
  rules: BodyRules,
): Promise<{ readonly kind: "text"; readonly text: string } | BodyError> {
  const body = await readBytes(source, rules);
  return body.kind === "bytes" ? decode(body.bytes) : body;
}

/** A parsed body, and the very text it was parsed from. */
export interface JsonContent {
  readonly kind: "json";
  readonly text: string;
  readonly value: unknown;
}

export async function readJson(
  source: BodySource,
  rules: BodyRules,
): Promise<JsonContent | BodyError> {
  const body = await readBytes(source, rules);
  return body.kind === "bytes" ? parseContent(body.bytes) : body;
}

/** What a body says that was read before. */
export function parseContent(bytes: Uint8Array): JsonContent | InvalidJson {
  const decoded = decode(bytes);
  if (decoded.kind !== "text") return decoded;
  try {
    return { kind: "json", text: decoded.text, value: JSON.parse(decoded.text) };
  } catch {
    return { kind: "invalid-json" };
  }
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true });
const NO_BYTES = new Uint8Array();

function decode(bytes: Uint8Array): { readonly kind: "text"; readonly text: string } | InvalidJson {
  try {
    return { kind: "text", text: UTF_8.decode(bytes) };
  } catch {
    return { kind: "invalid-json" };
  }
}

async function collect(source: BodySource, maxBytes: number): Promise<Uint8Array | BodyError> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of source.body()) {
      size += chunk.byteLength;
      if (size > maxBytes) return { kind: "too-large" };
      chunks.push(chunk);
    }
    const [only = NO_BYTES] = chunks;
    return chunks.length > 1 ? Buffer.concat(chunks, size) : only;
  } catch {
    // The client went away or broke its own framing; nobody is left to read the answer.
    return { kind: "incomplete" };
  }
}
