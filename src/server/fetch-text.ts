/** Fetches a text exactly as it is sent, within limits of time and size. */
const TIMEOUT_MS = 15_000;
/** Ten thousand releases make about 45 MB. */
export const MAX_MANIFEST_BYTES = 128 * 1024 * 1024;

export type FetchTextResult = { readonly kind: "fetched"; readonly text: string } | FetchTextError;

export type FetchTextError =
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "too-large"; readonly maxBytes: number }
  | { readonly kind: "unreachable"; readonly reason: string };

export async function fetchBoundedText(url: URL, maxBytes: number): Promise<FetchTextResult> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.ok) return await readBounded(response, maxBytes);
    await response.body?.cancel();
    return { kind: "status", status: response.status };
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

async function readBounded(response: Response, maxBytes: number): Promise<FetchTextResult> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return { kind: "too-large", maxBytes };
    chunks.push(chunk);
  }
  return { kind: "fetched", text: Buffer.concat(chunks).toString("utf8") };
}
