/** Downloads a manifest envelope as its exact text, within limits of time and size. */
import { CommandError } from "../../command.ts";

const TIMEOUT_MS = 15_000;
/** Ten thousand releases make about 45 MB. */
const MAX_BYTES = 128 * 1024 * 1024;

/** The address of a manifest, or of a service or a static export that has one. */
export function manifestUrl(text: string): URL {
  const url = new URL(text);
  const last = url.pathname.split("/").at(-1) ?? "";
  if (last === "manifest" || last.endsWith(".json")) return url;
  url.pathname = `${url.pathname.replace(/\/$/, "")}/api/v1/manifest`;
  return url;
}

export async function downloadManifest(url: URL): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) {
      await response.body?.cancel();
      throw new CommandError(
        `${url.href} responded with status ${response.status}: check the address`,
      );
    }
    return await readBounded(response, url);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { name, message, cause } = error as Error;
    const reason =
      name === "TimeoutError"
        ? `no response within ${TIMEOUT_MS / 1000} seconds`
        : cause instanceof Error
          ? cause.message
          : message;
    throw new CommandError(`Cannot fetch ${url.href}: ${reason}`);
  }
}

async function readBounded(response: Response, url: URL): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) {
      throw new CommandError(
        `${url.href} sends more than ${MAX_BYTES} bytes: this is not a manifest`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
