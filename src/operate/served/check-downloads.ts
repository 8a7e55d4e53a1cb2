/**
 * Asks download addresses for the size of their file, as an app would meet them: over https only, with
 * redirects, within limits of time and of requests at once. No file is downloaded.
 */
import type { IncomingMessage } from "node:http";
import {
  createHttpsConnector,
  type HttpsConnectorOptions,
  type HttpsRequest,
} from "../../events/subscriptions/https-connector.ts";
import { createSemaphore } from "../../events/subscriptions/semaphore.ts";
import { explainUnreachable, type ServedError } from "./explain-unreachable.ts";

export interface Download {
  readonly url: string;
  readonly size: number;
}

export interface DownloadCheckError extends ServedError {
  readonly url: string;
}

export interface DownloadCheckOptions extends Pick<HttpsConnectorOptions, "ca"> {
  /** The time limit for one address, redirects included. */
  readonly timeoutMs?: number;
  readonly onChecked?: (done: number, total: number) => void;
}

const TIMEOUT_MS = 20_000;
const MAX_AT_ONCE = 6;
const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns the errors in the order of the downloads. */
export async function checkDownloads(
  downloads: readonly Download[],
  { ca, timeoutMs = TIMEOUT_MS, onChecked }: DownloadCheckOptions = {},
): Promise<DownloadCheckError[]> {
  // The addresses are the maker's own, so they may be private ones.
  const connect = createHttpsConnector({ guard: () => true, ...(ca !== undefined && { ca }) });
  const inTurn = createSemaphore(MAX_AT_ONCE);
  let done = 0;
  const results = await Promise.all(
    downloads.map((download) =>
      inTurn(async () => {
        const result = await checkDownload(download, connect, timeoutMs);
        onChecked?.(++done, downloads.length);
        return result;
      }),
    ),
  );
  return results.flatMap((result, index) =>
    result === null ? [] : [{ url: downloads[index]?.url ?? "", ...result }],
  );
}

type Connect = (request: HttpsRequest) => Promise<IncomingMessage>;

async function checkDownload(
  { url, size }: Download,
  connect: Connect,
  timeoutMs: number,
): Promise<ServedError | null> {
  const signal = AbortSignal.timeout(timeoutMs);
  const ask = (method: HttpsRequest["method"]) => followRedirects(url, method, connect, signal);
  try {
    const head = await ask("HEAD");
    if (head.kind === "found" && head.size === size) return null;
    // Hosts that sign their addresses, and old servers, respond to HEAD in their own ways.
    const found = head.kind === "refused" ? head : await ask("GET");
    if (found.kind === "refused") return found.error;
    if (found.kind === "status") return explainStatus(found.status);
    return found.size === size ? null : explainSize(found.size, size);
  } catch (error) {
    return explainUnreachable(new URL(url), signal.aborted ? signal.reason : error);
  }
}

type Probe =
  | { readonly kind: "found"; readonly size: number | null }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "refused"; readonly error: ServedError };

async function followRedirects(
  address: string,
  method: HttpsRequest["method"],
  connect: Connect,
  signal: AbortSignal,
): Promise<Probe> {
  let url = new URL(address);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await connect({ method, url, headers: requestHeaders(method), signal });
    // The body of a GET is the file, which is not wanted.
    response.destroy();
    const { statusCode: status = 0, headers } = response;
    if (!REDIRECTS.has(status)) return readProbe(response, status);
    const target = headers.location === undefined ? null : URL.parse(headers.location, url);
    if (target?.protocol !== "https:") return { kind: "refused", error: explainRedirect(target) };
    url = target;
  }
  const problem = `redirects more than ${MAX_REDIRECTS} times`;
  const remedy = "enter the address that it should lead to";
  return { kind: "refused", error: { problem, remedy } };
}

function requestHeaders(method: HttpsRequest["method"]): HttpsRequest["headers"] {
  return {
    Accept: "*/*",
    // A compressed response has another size.
    "Accept-Encoding": "identity",
    "User-Agent": "Trellis (publication check)",
    ...(method === "GET" && { Range: "bytes=0-0" }),
  };
}

function readProbe({ headers }: IncomingMessage, status: number): Probe {
  if (status === 206) {
    const [, total] = /^bytes 0-0\/(\d+)$/.exec(headers["content-range"] ?? "") ?? [];
    return { kind: "found", size: total === undefined ? null : Number(total) };
  }
  if (status !== 200) return { kind: "status", status };
  const length = headers["content-encoding"] === undefined ? headers["content-length"] : undefined;
  return { kind: "found", size: length === undefined ? null : Number(length) };
}

const UPLOAD = "upload the file, for example with `trellis release upload`";

function explainStatus(status: number): ServedError {
  if (status === 404 || status === 410) {
    return { problem: `has no file (status ${status})`, remedy: UPLOAD };
  }
  if (status === 401 || status === 403) {
    const remedy = "upload the file, and make it readable for everyone";
    return { problem: `refuses access (status ${status})`, remedy };
  }
  const remedy = "check the download server, and run the command again";
  return { problem: `responded with status ${status}`, remedy };
}

function explainSize(found: number | null, expected: number): ServedError {
  return found === null
    ? {
        problem: "does not send the size of its file",
        remedy: "let the server send Content-Length",
      }
    : {
        problem: `has a different file: ${found} bytes, but the catalogue says ${expected}`,
        remedy: "upload the file that was added, or add the one that was uploaded",
      };
}

function explainRedirect(target: URL | null): ServedError {
  const problem =
    target === null
      ? "redirects to no valid address"
      : `redirects to ${target.protocol}//, which apps refuse`;
  return { problem, remedy: "let it redirect to https://, or not at all" };
}
