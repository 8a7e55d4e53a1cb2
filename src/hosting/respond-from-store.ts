/** Responds with the store of an instance: opens the instance, and waits for its turn; or refuses the request. */
import type { RawRequest } from "../http/request.ts";
import type { CompleteResponse } from "../http/response.ts";
import type { Instance } from "../configuration/instance.ts";
import type { RefusedReason } from "../operate/metrics/refused-reasons.ts";
import type { HostDependencies } from "./host-dependencies.ts";
import type { HostResponses } from "./host-responses.ts";
import type { OpenInstance } from "./open-instance.ts";
import type { Caller } from "./open-entry.ts";
import { AllInUseError, type OpenInstances } from "./open-instances.ts";
import type { OpeningLimits } from "./admission/opening-budget.ts";
import { holdTurn, pauseForBody } from "./admission/pause-turn.ts";
import { ERROR_BY_REASON, HOST_ERRORS } from "./refuse-request.ts";
import { watchBody } from "./admission/watch-body.ts";

export interface StoreOptions {
  /** Called when the store knows the caller, before the body is received; else the body is there already. */
  readonly enterBody?: () => Promise<void>;
  readonly isStream?: boolean;
}

type UsedInstance = Awaited<ReturnType<OpenInstances<OpenInstance>["acquire"]>>;

/** Requests that wait are sockets and headers. */
const MAX_WAITING = 64;

export function createStoreResponder(
  { listed, turns, takeOpening, notices }: HostDependencies,
  open: OpenInstances<OpenInstance>,
  refuse: HostResponses["refuse"],
  addressOf: (request: RawRequest) => string,
) {
  async function respondFromStore(
    caller: Caller,
    { name }: Instance,
    request: RawRequest,
    options: StoreOptions = {},
  ): Promise<CompleteResponse> {
    try {
      // Opening may wait for a place, and must not keep a turn from others meanwhile.
      const used = await open.acquire(name, caller, () => {
        const usedUp = caller === "stranger" ? takeOpening(addressOf(request)) : null;
        if (usedUp !== null) throw new NoOpeningError(usedUp);
      });
      if (listed.isSuspended(name)) {
        // The instance was suspended meanwhile: a command may wait for the store that is open now.
        used.release();
        void open.close(name);
        return await refuse(name, HOST_ERRORS.suspended, request);
      }
      return await (caller === "stranger"
        ? respondWith(used, name, request)
        : respondInTurn(used, name, request, options));
    } catch (error) {
      if (error instanceof NoOpeningError) return refuseFor(error.usedUp, name, request);
      if (error instanceof AllInUseError) {
        return refuseFor(caller === "stranger" ? "places" : "in-use", name, request);
      }
      return refuse(name, HOST_ERRORS.unavailable, request);
    }
  }

  async function respondInTurn(
    used: UsedInstance,
    name: string,
    request: RawRequest,
    { enterBody, isStream = false }: StoreOptions,
  ): Promise<CompleteResponse> {
    const first = turns.take(name, MAX_WAITING);
    if (first === null) {
      used.release();
      return refuseFor("turns", name, request);
    }
    const endFirst = first instanceof Promise ? await first : first;
    const turn = holdTurn(endFirst, () => turns.take(name));
    // A stream waits for others that open theirs.
    if (isStream) turn.end();
    const received = enterBody ? pauseForBody(request, turn, enterBody) : request;
    return respondWith(used, name, received).finally(turn.end);
  }

  function refuseFor(reason: RefusedReason, name: string, request: RawRequest) {
    notices.noteRefused(reason, name);
    return refuse(name, ERROR_BY_REASON[reason], request);
  }

  /** A body that is a stream keeps the instance open until it ends. */
  async function respondWith(
    { value, release }: UsedInstance,
    name: string,
    request: RawRequest,
  ): Promise<CompleteResponse> {
    let body: CompleteResponse["body"] = null;
    try {
      const response = await value.http.respond(request);
      ({ body } = response);
      if (!(body instanceof ReadableStream)) return response;
      // A snapshot is work like any other: each part of it has its turn.
      const turn = response.isLive ? null : () => turns.take(name);
      return { ...response, body: watchBody(body, turn, release) };
    } finally {
      if (!(body instanceof ReadableStream)) release();
    }
  }

  return { respondFromStore, respondWith, refuseFor };
}

/** The openings of strangers are used up. */
class NoOpeningError extends Error {
  readonly usedUp: keyof OpeningLimits;

  constructor(usedUp: keyof OpeningLimits) {
    super(`No opening is left for strangers: ${usedUp}`);
    this.name = "NoOpeningError";
    this.usedUp = usedUp;
  }
}
