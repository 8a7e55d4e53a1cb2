/** Fetches a text exactly as it is sent, within limits of time and size. */
const TIMEOUT_MS = 15_000;

export type FetchTextResult = { readonly kind: "fetched"; readonly text: string } | FetchTextError;

export type FetchTextError =
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "too-large"; readonly maxBytes: number }
  | { readonly kind: "unreachable"; readonly reason: string };

export async function fetchBoundedText(url: URL, maxBytes: number): Promise<FetchTextResult> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) {
      await response.body?.cancel();
      return { kind: "status", status: response.status };
    }
    const text = await readBoundedText(response.body ?? [], maxBytes);
    return text === null ? { kind: "too-large", maxBytes } : { kind: "fetched", text };
  } catch (error) {
    const { name, message, cause } = error as Error;
    const reason =
      name === "TimeoutError"
        ? `no response within ${TIMEOUT_MS / 1000} seconds`
        : cause instanceof Error
          ? cause.message
          : message;
    return { kind: "unreachable", reason };
  }
}

/** Null when the text is longer; the rest of it is not received. */
export async function readBoundedText(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
