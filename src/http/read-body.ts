/** Reads a request body within its limits; nothing is parsed before the limits are checked. */
import { hasRepeatedMember } from "../contract/repeated-member.ts";
import type { RawRequest } from "./request.ts";

type BodySource = Pick<RawRequest, "header" | "body">;

export type BodyError =
  | { readonly kind: "unsupported-media-type" }
  | { readonly kind: "too-large" }
  | InvalidJson
  | { readonly kind: "incomplete" };

export interface InvalidJson {
  readonly kind: "invalid-json";
}

/** A body where the route takes none. */
export interface UnexpectedBody {
  readonly kind: "unexpected-body";
}

export interface BodyRules {
  /** The only accepted media type, without parameters. */
  readonly mediaType: string;
  readonly maxBytes: number;
}

/** What the head of a request says against its body: media type, encoding, declared size; null for nothing. */
export function checkBodyHead(
  source: Pick<BodySource, "header">,
  rules: BodyRules,
): BodyError | null {
  const [mediaType = "", ...parameters] = (source.header("content-type") ?? "").split(";");
  if (mediaType.trim().toLowerCase() !== rules.mediaType || parameters.some(namesOtherCharset)) {
    return { kind: "unsupported-media-type" };
  }
  // A compressed body could grow past every limit.
  if (source.header("content-encoding") !== null) return { kind: "unsupported-media-type" };
  const isTooLarge = Number(source.header("content-length") ?? 0) > rules.maxBytes;
  return isTooLarge ? { kind: "too-large" } : null;
}

/** RFC 9110 8.3.2: a charset has any letter case, and a parameter may be quoted. */
function namesOtherCharset(parameter: string): boolean {
  return (
    /^\s*charset\s*(?:=|$)/i.test(parameter) &&
    !/^\s*charset=(?:utf-?8|"utf-?8")\s*$/i.test(parameter)
  );
}

/**
 * What a request is refused for whose route takes no body; null when there is none, or an empty one. A body that
 * says its length is not read, and of any other one nothing is kept.
 */
export async function refuseBody(
  source: BodySource,
  maxBytes: number,
): Promise<UnexpectedBody | BodyError | null> {
  if (!announcesBody(source)) return null;
  const length = Number(source.header("content-length") ?? 0);
  if (length > 0) return { kind: length > maxBytes ? "too-large" : "unexpected-body" };
  let size = 0;
  try {
    for await (const chunk of source.body()) {
      size += chunk.byteLength;
      if (size > maxBytes) return { kind: "too-large" };
    }
  } catch {
    return { kind: "incomplete" };
  }
  return size === 0 ? null : { kind: "unexpected-body" };
}

/** Whether the head of a request says that a body follows, which may be empty (RFC 9112 6). */
export function announcesBody(source: Pick<BodySource, "header">): boolean {
  return (
    (source.header("content-length") ?? "0") !== "0" || source.header("transfer-encoding") !== null
  );
}

/** Checks the head, then the real size. */
export async function readBytes(
  source: BodySource,
  rules: BodyRules,
): Promise<{ readonly kind: "bytes"; readonly bytes: Uint8Array } | BodyError> {
  const refused = checkBodyHead(source, rules);
  if (refused !== null) return refused;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of source.body()) {
      size += chunk.byteLength;
      if (size > rules.maxBytes) return { kind: "too-large" };
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof BodyBudgetError) throw error;
    // The client closed the connection or broke its own framing.
    return { kind: "incomplete" };
  }
  const [first] = chunks;
  const isWhole = chunks.length === 1 && first !== undefined;
  return { kind: "bytes", bytes: isWhole ? first : Buffer.concat(chunks, size) };
}

export async function readText(
  source: BodySource,
  rules: BodyRules,
): Promise<{ readonly kind: "text"; readonly text: string } | BodyError> {
  const body = await readBytes(source, rules);
  return body.kind === "bytes" ? decode(body.bytes) : body;
}

export interface JsonContent {
  readonly kind: "json";
  /** The text that the value was parsed from. */
  readonly text: string;
  readonly value: unknown;
}

export async function readJsonBody(
  source: BodySource,
  rules: BodyRules,
): Promise<JsonContent | BodyError> {
  const body = await readBytes(source, rules);
  if (body.kind !== "bytes") return body;
  const content = parseJsonBody(body.bytes);
  const isAmbiguous = content.kind === "json" && hasRepeatedMember(content.text, content.value);
  return isAmbiguous ? { kind: "invalid-json" } : content;
}

/** A member may be given twice: `readJsonBody` refuses that, and a push says which operation has it. */
export function parseJsonBody(bytes: Uint8Array): JsonContent | InvalidJson {
  const decoded = decode(bytes);
  if (decoded.kind !== "text") return decoded;
  try {
    return { kind: "json", text: decoded.text, value: JSON.parse(decoded.text) };
  } catch {
    return { kind: "invalid-json" };
  }
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): { readonly kind: "text"; readonly text: string } | InvalidJson {
  // RFC 8259 8.1: no byte order mark is sent. Readers differ in whether it is a part of the text.
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { kind: "invalid-json" };
  try {
    return { kind: "text", text: UTF_8.decode(bytes) };
  } catch {
    return { kind: "invalid-json" };
  }
}

export interface BodyBudget {
  /** The request, with a body that fails with `BodyBudgetError` when it exceeds the budget. */
  limit(request: RawRequest): RawRequest;
}

export class BodyBudgetError extends Error {
  constructor() {
    super("Too many bodies are being received");
    this.name = "BodyBudgetError";
  }
}

/** Bounds what the bodies of several requests take together while they are received. */
export function createBodyBudget(maxBytes: number): BodyBudget {
  let taken = 0;

  async function* receive(request: RawRequest): AsyncGenerator<Uint8Array> {
    let own = 0;
    try {
      for await (const chunk of request.body()) {
        if (taken + chunk.byteLength > maxBytes) throw new BodyBudgetError();
        taken += chunk.byteLength;
        own += chunk.byteLength;
        yield chunk;
      }
    } finally {
      taken -= own;
    }
  }

  return {
    limit: (request) => ({
      method: request.method,
      target: request.target,
      remoteAddress: request.remoteAddress,
      header: (name) => request.header(name),
      body: () => receive(request),
    }),
  };
}
