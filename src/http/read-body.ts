/** Reads a request body within its limits; nothing is parsed before the limits hold. */

export type BodyProblem =
  | { readonly kind: "unsupported-media-type" }
  | { readonly kind: "too-large" }
  | { readonly kind: "invalid-json" }
  | { readonly kind: "incomplete" };

export interface BodyRules {
  /** The only accepted media type, without parameters. */
  readonly mediaType: string;
  readonly maxBytes: number;
}

/** The body's text, in the order: media type, encoding, declared size, real size, UTF-8. */
export async function readText(
  request: Request,
  rules: BodyRules,
): Promise<{ readonly kind: "text"; readonly text: string } | BodyProblem> {
  const [mediaType = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (mediaType.trim().toLowerCase() !== rules.mediaType) return { kind: "unsupported-media-type" };
  // A compressed body could grow past every limit.
  if (request.headers.get("content-encoding") !== null) return { kind: "unsupported-media-type" };
  if (Number(request.headers.get("content-length") ?? 0) > rules.maxBytes) {
    return { kind: "too-large" };
  }
  const bytes = await readBytes(request, rules.maxBytes);
  if (!(bytes instanceof Uint8Array)) return bytes;
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { kind: "invalid-json" };
  }
}

export async function readJson(
  request: Request,
  rules: BodyRules,
): Promise<{ readonly kind: "json"; readonly value: unknown } | BodyProblem> {
  const body = await readText(request, rules);
  if (body.kind !== "text") return body;
  try {
    return { kind: "json", value: JSON.parse(body.text) };
  } catch {
    return { kind: "invalid-json" };
  }
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | BodyProblem> {
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(chunks, size);
      size += value.byteLength;
      if (size > maxBytes) {
        await reader.cancel();
        return { kind: "too-large" };
      }
      chunks.push(value);
    }
  } catch {
    // The client went away or broke its own framing; nobody is left to read the answer.
    return { kind: "incomplete" };
  }
}
