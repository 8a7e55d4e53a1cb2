/** Fetches what an address serves to apps, and says in words why that failed. */
import { MAX_ACCEPTED_MANIFEST_BYTES } from "../../contract/release/values.ts";
import { readBoundedText } from "../../http/read-bounded-text.ts";
import { explainUnreachable, type ServedError } from "./explain-unreachable.ts";

export type ServedText =
  | { readonly kind: "fetched"; readonly text: string }
  | ({ readonly kind: "status"; readonly status: number } & ServedError)
  | ({ readonly kind: "too-large" | "unreachable" } & ServedError);

const TIMEOUT_MS = 15_000;

export const REDEPLOY =
  "deploy this catalogue or its export there, and clear the cache of a CDN in front of it";

export async function fetchServed(url: URL, maxBytes: number): Promise<ServedText> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { ok, status, body } = response;
    if (!ok) {
      await body?.cancel();
      const problem = `responded with status ${status}, so apps find no updates`;
      return { kind: "status", status, problem, remedy: `${REDEPLOY}, or correct the address` };
    }
    const text = await readBoundedText(body ?? [], maxBytes);
    if (text !== null) return { kind: "fetched", text };
    const problem = `sends more than ${maxBytes} bytes`;
    return { kind: "too-large", problem, remedy: "check the address" };
  } catch (error) {
    return { kind: "unreachable", ...explainUnreachable(url, error) };
  }
}

/** What an update client would read of it. */
export async function fetchServedManifest(url: URL): Promise<ServedText> {
  const served = await fetchServed(url, MAX_ACCEPTED_MANIFEST_BYTES);
  return served.kind === "too-large" ? { ...served, ...TOO_LARGE } : served;
}

export const TOO_LARGE = {
  problem: `has more than ${MAX_ACCEPTED_MANIFEST_BYTES} bytes, which update clients refuse to read, so that no installed copy updates`,
  remedy: "run `trellis release sign`, which archives old releases, and deploy the result",
};

/** The address of a manifest, or of a service or a static export that has one. */
export function manifestUrl(text: string): URL {
  const url = new URL(text);
  const last = url.pathname.split("/").at(-1) ?? "";
  if (last === "manifest" || last.endsWith(".json")) return url;
  url.pathname = `${url.pathname.replace(/\/$/, "")}/api/v1/manifest`;
  return url;
}
