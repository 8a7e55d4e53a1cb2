/** What the operator's listener serves, for monitors and proxies: `GET /readyz` and `GET /metrics`. */
import { StorageUnavailableError } from "../database/database.ts";
import type { HttpService } from "../http/create-http-service.ts";
import { isKnownHost } from "../http/known-host.ts";
import { createPlainService } from "../http/plain-service.ts";
import { contentResponse, jsonResponse, type HttpResponse } from "../http/response.ts";
import { splitTarget } from "../http/target.ts";
import { withTimeout } from "../database/with-timeout.ts";
import { METRICS_TYPE } from "./metrics/render-metrics.ts";

/** Checks by the name of the service; a check rejects when the service cannot do its work. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

type Readiness =
  | { readonly status: "ready" }
  | { readonly status: "unavailable"; readonly reason: string };

/** A store may wait longer for a lock, but a monitor does not. */
const CHECK_MS = 3000;

export function createOperatorService(
  checks: ReadinessChecks,
  renderMetrics: () => Promise<string>,
  hosts: readonly string[] = [],
): HttpService {
  const knownHosts = new Set(hosts.map((host) => host.toLowerCase()));
  const readinessByService = Object.fromEntries(
    Object.entries(checks).map(([name, check]) => [name, shareCalls(() => readReadiness(check))]),
  );

  async function checkReadiness(): Promise<HttpResponse> {
    const entries = Object.entries(readinessByService).map(
      async ([name, read]) => [name, await read()] as const,
    );
    const services: Readonly<Record<string, Readiness>> = Object.fromEntries(
      await Promise.all(entries),
    );
    const isReady = Object.values(services).every(({ status }) => status === "ready");
    return isReady
      ? toResponse(200, { status: "ready", services })
      : toResponse(503, { status: "unavailable", services });
  }

  const readMetrics = shareCalls(renderMetrics);

  async function metricsResponse(): Promise<HttpResponse> {
    try {
      return contentResponse(200, METRICS_TYPE, Buffer.from(await readMetrics()), {});
    } catch {
      return toResponse(503, { error: "metrics_unavailable" });
    }
  }

  const responders = new Map([
    ["/readyz", checkReadiness],
    ["/metrics", metricsResponse],
  ]);

  function handle(method: string, path: string): HttpResponse | Promise<HttpResponse> {
    const readResponse = responders.get(path);
    if (readResponse === undefined) return toResponse(404, { error: "not_found" });
    return method === "GET" || method === "HEAD"
      ? readResponse()
      : toResponse(405, { error: "method_not_allowed" }, { Allow: "GET, HEAD" });
  }

  return createPlainService({
    headers: () => COMMON_HEADERS,
    handle: (request) =>
      isKnownHost(request.header("host"), knownHosts)
        ? handle(request.method, splitTarget(request.target).path)
        : toResponse(421, UNKNOWN_HOST),
    errorResponse: (status) =>
      toResponse(status, { error: status < 500 ? "invalid_request" : "internal_error" }),
  });
}

async function readReadiness(check: () => Promise<void>): Promise<Readiness> {
  const late = new StorageUnavailableError(`a write takes longer than ${CHECK_MS / 1000} seconds`);
  const error = await withTimeout(findFailure(check), CHECK_MS, late);
  if (error === null) return { status: "ready" };
  // Other messages may quote what was stored.
  const isOurs = error instanceof StorageUnavailableError;
  return { status: "unavailable", reason: isOurs ? error.message : "An unexpected error" };
}

async function findFailure(check: () => Promise<void>): Promise<unknown> {
  try {
    await check();
    return null;
  } catch (error) {
    return error;
  }
}

/** Calls that come while one runs share its result, so that monitors add no load to a slow store. */
function shareCalls<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  };
}

const UNKNOWN_HOST = {
  error: "unknown_host",
  message: "This host name is not known here: add it to operator.hosts",
};

function toResponse(status: number, body: object, headers = {}): HttpResponse {
  return jsonResponse(status, `${JSON.stringify(body)}\n`, headers);
}

const COMMON_HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
