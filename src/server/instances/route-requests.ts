/** Finds the instance of a request by its host. A request without one that can be opened is refused. */
import type { HttpService } from "../../http/create-http-service.ts";
import { handleFetch } from "../../http/fetch.ts";
import type { RawRequest } from "../../http/request.ts";
import type { RequestLines, RequestLog } from "../../http/request-log.ts";
import type { CompleteResponse } from "../../http/response.ts";
import type { SyncConfiguration } from "../configuration-schema.ts";
import type { ServiceObservers } from "../service-observers.ts";
import type { Instance } from "./instance.ts";
import type { ListedInstances } from "./listed-instances.ts";
import type { OpenInstance } from "./open-instance.ts";
import { AllInUseError, type OpenInstances } from "./open-instances.ts";
import { createRefusingService, HOST_ERRORS, type HostError } from "./refuse-request.ts";

export interface RouterSettings {
  readonly sync: SyncConfiguration;
  readonly listed: ListedInstances;
  readonly open: OpenInstances<OpenInstance>;
  /** The log of an instance; `instance` is null for requests that reach none. */
  log(instance: string | null): RequestLog | RequestLines | undefined;
  readonly observers: ServiceObservers | undefined;
  /** Every place for an open instance was taken when a request came for this one. */
  onAllInUse(instance: string): void;
}

export interface RequestRouter {
  readonly http: HttpService;
  fetch(request: Request): Promise<Response>;
}

export function routeRequests(settings: RouterSettings): RequestRouter {
  const { sync, listed, open, observers } = settings;

  const createUnknownHost = (baseUrl: string) =>
    createRefusingService(
      HOST_ERRORS.unknownHost,
      { ...sync, baseUrl },
      settings.log(null),
      observers?.requests("sync"),
    );
  const plainUnknownHost = createUnknownHost(sync.baseUrl);
  const httpsUnknownHost = createUnknownHost("https://unknown.invalid");
  /** The service for requests of no instance, with the headers of https where the instances have it. */
  const unknownHost = () => (listed.hasHttps() ? httpsUnknownHost : plainUnknownHost);

  async function respondAt(host: string | null, request: RawRequest): Promise<CompleteResponse> {
    const name = listed.nameAt(host);
    if (name === undefined) return unknownHost().respond(request);
    const refuse = (hostError: HostError) => {
      // The instance may have been removed meanwhile.
      const instance = listed.find(name);
      return instance === null
        ? unknownHost().respond(request)
        : refuseAt(instance, hostError, request);
    };
    if (listed.isSuspended(name)) return refuse(HOST_ERRORS.suspended);
    try {
      const used = await open.acquire(name);
      if (!listed.isSuspended(name)) return await respondWith(used, request);
      // The instance was suspended meanwhile: a command may wait for the store that is open now.
      used.release();
      void open.close(name);
      return refuse(HOST_ERRORS.suspended);
    } catch (error) {
      if (error instanceof AllInUseError) settings.onAllInUse(name);
      return refuse(HOST_ERRORS.unavailable);
    }
  }

  function refuseAt({ name, sync: own }: Instance, hostError: HostError, request: RawRequest) {
    const isIntended = hostError === HOST_ERRORS.suspended;
    const meter = isIntended ? { responded() {} } : observers?.sync(name);
    const observer = meter && observers?.requests("sync", { name, meter });
    return createRefusingService(hostError, own, settings.log(name), observer).respond(request);
  }

  const http: HttpService = {
    respond: (request) => respondAt(request.header("host"), request),
    protocolErrorResponse: (error, cause) => unknownHost().protocolErrorResponse(error, cause),
  };
  return {
    http,
    fetch(request) {
      const { host } = new URL(request.url);
      return handleFetch({ ...http, respond: (raw) => respondAt(host, raw) }, request);
    },
  };
}

/** A body that is a stream keeps the instance open until it ends. */
async function respondWith(
  { value, release }: Awaited<ReturnType<OpenInstances<OpenInstance>["acquire"]>>,
  request: RawRequest,
): Promise<CompleteResponse> {
  let body: CompleteResponse["body"] = null;
  try {
    const response = await value.http.respond(request);
    ({ body } = response);
    return body instanceof ReadableStream
      ? { ...response, body: watchBody(body, release) }
      : response;
  } finally {
    if (!(body instanceof ReadableStream)) release();
  }
}

/** Notices the end of a response's body: read to the end, failed or cancelled. */
function watchBody(
  body: ReadableStream<Uint8Array>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await reader.read();
          if (!next.done) return controller.enqueue(next.value);
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        onEnd();
      },
      async cancel(reason) {
        try {
          await reader.cancel(reason);
        } finally {
          onEnd();
        }
      },
    },
    // Nothing is read before its consumer asks for it.
    { highWaterMark: 0 },
  );
}
