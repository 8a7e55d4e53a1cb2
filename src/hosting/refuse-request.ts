/** The responses to requests that reach no instance, in the envelope of the sync contract. */
import { createStorageMonitor } from "../database/storage-monitor.ts";
import { createHttpService, type HttpService } from "../http/create-http-service.ts";
import type { HttpError } from "../http/http-error.ts";
import type { RequestLines, RequestLog } from "../http/request-log.ts";
import type { RequestObserver } from "../http/request-observer.ts";
import { JSON_TYPE } from "../http/response.ts";
import type { StoredServiceNotice } from "../http/stored-service.ts";
import { randomBytes } from "../rules/web-crypto.ts";
import { errorResponse, toSyncErrorCode } from "../sync/responses/error-response.ts";
import { createSyncHooks } from "../sync/responses/service-hooks.ts";
import type { HostConfiguration } from "../configuration/instance.ts";
import { createLoginPages } from "../sync/sign-in/web-pages.ts";
import type { RefusedReason } from "../operate/metrics/refused-reasons.ts";
import { ownerPathsOf } from "../sync/routes.ts";

export interface HostError {
  readonly error: HttpError;
  readonly message: string;
}

export const HOST_ERRORS = {
  unknownHost: {
    error: { kind: "unknown-path" },
    message: "This server has no instance at this host; check the address",
  },
  // The status is neither 401 nor 404: devices stay signed in, keep what they could not push, and come back.
  suspended: {
    error: { kind: "unavailable", retryAfterSeconds: 3600, isSuspended: true },
    message: "This instance is suspended; its operator can resume it",
  },
  unavailable: {
    error: { kind: "unavailable", retryAfterSeconds: 5 },
    message: "This instance cannot be opened now; try again soon",
  },
  // Requests without a token of the instance have few openings, so that those of devices are quick.
  busyNetwork: {
    error: { kind: "rate-limited", retryAfterSeconds: 10 },
    message: "Your network has requested too many idle instances; try again soon",
  },
  busyServer: {
    error: { kind: "rate-limited", retryAfterSeconds: 5 },
    message: "Too many idle instances are requested at once; try again soon",
  },
  busyInstance: {
    error: { kind: "rate-limited", retryAfterSeconds: 1 },
    message: "Too many requests already wait for this instance; send fewer at once",
  },
} as const satisfies Record<string, HostError>;

export const ERROR_BY_REASON: Readonly<Record<RefusedReason, HostError>> = {
  "in-use": HOST_ERRORS.unavailable,
  places: HOST_ERRORS.busyServer,
  process: HOST_ERRORS.busyServer,
  network: HOST_ERRORS.busyNetwork,
  turns: HOST_ERRORS.busyInstance,
};

type StorelessSettings = HostConfiguration["unknownHost"];

/** The hooks of the sync service, and its pages, without a store that could fail. */
export function createStorelessHooks(
  settings: StorelessSettings,
  onNotice: (notice: StoredServiceNotice) => void = () => {},
) {
  const { baseUrl, displayName, corsOrigins, ownerPage: hasOwnerPage } = settings;
  const csrfHeader = `X-${settings.headerPrefix}-CSRF`;
  const pages = createLoginPages({
    baseUrl,
    displayName,
    csrfHeader,
    hasOwnerPage,
    randomBytes,
  });
  const hooks = createSyncHooks({
    storage: createStorageMonitor({ probe: async () => {}, onNotice: undefined }),
    baseUrl,
    corsOrigins,
    csrfHeader: csrfHeader.toLowerCase(),
    pages,
    ownerPaths: ownerPathsOf(hasOwnerPage),
    onNotice,
  });
  return { hooks, pages };
}

/** A service that has no route: a request whose target is well-formed gets the error. */
export function createRefusingService(
  hostError: HostError,
  settings: StorelessSettings,
  log: RequestLog | RequestLines | undefined,
  observer?: RequestObserver,
): HttpService {
  const { hooks } = createStorelessHooks(settings);
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
