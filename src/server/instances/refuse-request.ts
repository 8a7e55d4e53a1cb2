/** The responses to requests that reach no instance, in the envelope of the sync contract. */
import { createStorageMonitor } from "../../database/storage-monitor.ts";
import { createHttpService, type HttpService } from "../../http/create-http-service.ts";
import type { HttpError } from "../../http/http-error.ts";
import type { RequestLines, RequestLog } from "../../http/request-log.ts";
import type { RequestObserver } from "../../http/request-observer.ts";
import { JSON_TYPE } from "../../http/response.ts";
import { randomBytes } from "../../rules/web-crypto.ts";
import { errorResponse, toSyncErrorCode } from "../../sync/error-response.ts";
import { createSyncHooks } from "../../sync/service-hooks.ts";
import type { SyncConfiguration } from "../configuration-schema.ts";
import { createLoginPages } from "../login-pages.ts";
import { ownerPathsOf } from "../owner-paths.ts";

export interface HostError {
  readonly error: HttpError;
  readonly message: string;
}

export const HOST_ERRORS = {
  unknownHost: {
    error: { kind: "unknown-path" },
    message: "No instance of this server is at this host; check the address",
  },
  // The status is neither 401 nor 404: devices stay signed in, keep what they could not push, and come back.
  suspended: {
    error: { kind: "unavailable", retryAfterSeconds: 3600 },
    message: "This instance is suspended; its operator can resume it",
  },
  unavailable: {
    error: { kind: "unavailable", retryAfterSeconds: 5 },
    message: "This instance cannot be opened now; try again soon",
  },
} as const satisfies Record<string, HostError>;

/** A service that has no route: a request whose target is well-formed gets the error. */
export function createRefusingService(
  hostError: HostError,
  settings: Pick<
    SyncConfiguration,
    "baseUrl" | "displayName" | "corsOrigins" | "headerPrefix" | "ownerPage"
  >,
  log: RequestLog | RequestLines | undefined,
  observer?: RequestObserver,
): HttpService {
  const { baseUrl, displayName, corsOrigins } = settings;
  const csrfHeader = `X-${settings.headerPrefix}-CSRF`;
  const hooks = createSyncHooks({
    storage: createStorageMonitor({ probe: async () => {}, onNotice: undefined }),
    baseUrl,
    corsOrigins,
    csrfHeader: csrfHeader.toLowerCase(),
    pages: createLoginPages({ baseUrl, displayName, csrfHeader, randomBytes }),
    ownerPaths: ownerPathsOf(settings.ownerPage),
  });
  return createHttpService(
    {},
    {},
    {
      ...hooks,
      toErrorResponse(error, requestId, request) {
        if (error.kind !== "unknown-path") return hooks.toErrorResponse(error, requestId, request);
        const response = hooks.toErrorResponse(hostError.error, requestId, request);
        // A person's browser gets a page, which has words of its own.
        if (response.headers["Content-Type"] !== JSON_TYPE) return response;
        const retryAfter = response.headers["Retry-After"];
        return errorResponse(toSyncErrorCode(hostError.error), requestId, {
          message: hostError.message,
          ...(retryAfter !== undefined && { headers: { "Retry-After": retryAfter } }),
        });
      },
      readClientAddress: () => "",
      ...(log !== undefined && { log }),
      ...(observer !== undefined && { observer }),
    },
  );
}
