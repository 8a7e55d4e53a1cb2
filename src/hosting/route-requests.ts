/**
 * Finds the instance of a request by its host, and admits the request to it in its turn, or refuses it.
 *
 * - `respondAt`: whose request it is, and what it needs of the store.
 * - `respondWithoutStore`: public routes, made-up and refused access tokens, bodies that are refused by their heads.
 * - `respondToDevice`: the store knows the token before the body is received.
 * - `respondToRefresh`: the body comes first, because it has the token; then a device's work, or a stranger's.
 * - `respondToStranger`: an open instance asks for the body; a closed one is opened when the body is there.
 *
 * All but the second end in `respondFromStore`, which opens the instance, takes a turn and responds.
 */
import { MAX_OWNER_BODY_BYTES } from "../contract/sync/owner-values.ts";
import { isObject } from "../contract/is-object.ts";
import { beginInTurn, noteRequest } from "../database/in-turn.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import { createClientAddressReader } from "../http/client-address.ts";
import type { HttpService } from "../http/create-http-service.ts";
import { handleFetch } from "../http/fetch.ts";
import { announcesBody, checkBodyHead, readJsonBody, type BodyRules } from "../http/read-body.ts";
import type { RawRequest } from "../http/request.ts";
import type { CompleteResponse } from "../http/response.ts";
import { hashSecret } from "../identity/one-time-secrets.ts";
import { readAccessToken } from "../sync/devices/access-tokens.ts";
import { createClosedInstances } from "./closed-instances.ts";
import { createDatabaseKnowledge, createFolderKnowledge } from "./known-instances.ts";
import type { HostDependencies } from "./host-dependencies.ts";
import { createHostResponses } from "./host-responses.ts";
import type { Instance } from "../configuration/instance.ts";
import { bufferBody, createBodyRooms } from "./admission/receive-bodies.ts";
import { createRefusedTokens } from "./admission/refused-tokens.ts";
import { HOST_ERRORS } from "./refuse-request.ts";
import type { OpenInstance } from "./open-instance.ts";
import type { OpenInstances } from "./open-instances.ts";
import { createStoreResponder } from "./respond-from-store.ts";
import { createStoreNeed } from "./store-need.ts";
import { createStrangersBodies } from "./admission/strangers-bodies.ts";

export interface RequestRouter {
  readonly http: HttpService;
  fetch(request: Request): Promise<Response>;
}

/** Of one access token, so that no device waits for the bodies of another, and fewer than may wait in all. */
const BODY_ROOM = { atOnce: 8, maxWaiting: 24 };
const UNAUTHORIZED = 401;

export function routeRequests(
  dependencies: HostDependencies,
  open: OpenInstances<OpenInstance>,
): RequestRouter {
  const { listed } = dependencies;
  const closed = createClosedInstances(
    sqlitePath(dependencies.store) === undefined
      ? createDatabaseKnowledge(() => performance.now())
      : createFolderKnowledge(dependencies.createsFolders),
  );
  const refused = createRefusedTokens();
  const needOf = createStoreNeed(closed, refused);
  const responses = createHostResponses(dependencies, closed);
  const readClientAddress = createClientAddressReader(dependencies.trustedProxies);
  const strangersBodies = createStrangersBodies();
  const rooms = createBodyRooms(BODY_ROOM);
  const addressOf = (request: RawRequest) =>
    readClientAddress(request.remoteAddress, request.header("x-forwarded-for"));
  const { respondFromStore, respondWith, refuseFor } = createStoreResponder(
    dependencies,
    open,
    responses.refuse,
    addressOf,
  );

  async function respondAt(host: string | null, request: RawRequest): Promise<CompleteResponse> {
    const name = listed.nameAt(host);
    const instance = name === undefined ? null : listed.find(name);
    if (instance === null) {
      return beginInTurn("stranger", () => responses.unknownHost().respond(request));
    }
    if (listed.isSuspended(instance.name)) {
      return responses.refuse(instance.name, HOST_ERRORS.suspended, request);
    }
    const { kind, body } = await needOf(request, instance);
    switch (kind) {
      case "nothing":
        return beginInTurn("stranger", () => respondWithoutStore(instance, request));
      case "device":
        return respondToDevice(instance, request);
      case "stream":
        return respondToDevice(instance, request, { isStream: true });
      case "refresh":
        return beginInTurn("stranger", () => respondToRefresh(instance, request, body));
      case "stranger":
        return beginInTurn("stranger", () => respondToStranger(instance, request, body));
    }
  }

  function respondWithoutStore(
    instance: Instance,
    request: RawRequest,
  ): CompleteResponse | Promise<CompleteResponse> {
    // An instance that is open responds itself, and does not stay open longer for it.
    const held = open.hold(instance.name);
    return held === null
      ? responses.frontOf(instance).respond(request)
      : respondWith(held, instance.name, request);
  }

  async function respondToDevice(
    instance: Instance,
    request: RawRequest,
    options: { isStream?: boolean } = {},
  ): Promise<CompleteResponse> {
    noteRequest();
    const token = readAccessToken(request);
    const hasBody = request.method === "POST" || announcesBody(request);
    const place = hasBody ? rooms.reserve(hashSecret(token)) : undefined;
    if (place === null) return refuseFor("turns", instance.name, request);
    try {
      const response = await respondFromStore("device", instance, request, {
        ...options,
        ...(place && { enterBody: () => place.enter(request.signal) }),
      });
      if (response.status === UNAUTHORIZED) refused.note(token);
      return response;
    } finally {
      place?.leave();
    }
  }

  async function respondToRefresh(
    instance: Instance,
    request: RawRequest,
    rules: BodyRules | null,
  ): Promise<CompleteResponse> {
    if (rules === null || checkBodyHead(request, rules) !== null) {
      return respondWithoutStore(instance, request);
    }
    return withStrangersBody(instance, request, async (limited) => {
      const received = await bufferBody(limited, rules.maxBytes);
      const token = await readRefreshToken(received, rules);
      if (token === null) return respondWithoutStore(instance, received);
      const isDevices = (await closed.isOwnRefreshToken(instance, token)) && !refused.has(token);
      if (!isDevices) return respondFromStore("stranger", instance, received);
      const response = await respondFromStore("device", instance, received);
      if (response.status === UNAUTHORIZED) refused.note(token);
      return response;
    });
  }

  async function respondToStranger(
    instance: Instance,
    request: RawRequest,
    rules: BodyRules | null,
  ): Promise<CompleteResponse> {
    if (request.method !== "POST") return respondFromStore("stranger", instance, request);
    return withStrangersBody(instance, request, async (limited) => {
      // An open instance refuses what it can before it asks for the body.
      if (open.has(instance.name)) {
        return respondFromStore("stranger", instance, limited);
      }
      if (rules !== null && checkBodyHead(request, rules) !== null) {
        return respondWithoutStore(instance, request);
      }
      const received = await bufferBody(limited, rules?.maxBytes ?? MAX_OWNER_BODY_BYTES);
      return respondFromStore("stranger", instance, received);
    });
  }

  /** The body counts until there is a response, also while it waits in line. */
  async function withStrangersBody(
    { name }: Instance,
    request: RawRequest,
    respond: (limited: RawRequest) => Promise<CompleteResponse>,
  ): Promise<CompleteResponse> {
    const body = strangersBodies.receive(request, addressOf(request), name);
    try {
      return await respond(body.request);
    } finally {
      body.release();
    }
  }

  const http: HttpService = {
    respond: (request) => respondAt(request.header("host"), request),
    protocolErrorResponse: (error, cause) =>
      responses.unknownHost().protocolErrorResponse(error, cause),
  };
  return {
    http,
    fetch(request) {
      const { host } = new URL(request.url);
      return handleFetch({ ...http, respond: (raw) => respondAt(host, raw) }, request);
    },
  };
}

/** Null when the body has none: then the service says what is wrong, without the store. */
async function readRefreshToken(request: RawRequest, rules: BodyRules): Promise<string | null> {
  const body = await readJsonBody(request, rules).catch(() => null);
  const token = body?.kind === "json" && isObject(body.value) ? body.value["refreshToken"] : null;
  return typeof token === "string" ? token : null;
}
