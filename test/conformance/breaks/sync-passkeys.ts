import { createAuthenticator, type SoftwarePasskey } from "../../../conformance/authenticator.ts";
import type { PasskeyAssertion, PasskeyRequest } from "../../../src/contract/passkey.ts";
import type { HttpResponse } from "../../../src/http/response.ts";
import {
  changeOk,
  ignoreHeader,
  pathOf,
  readResponseBody,
  withTarget,
  type Body,
  toBreaks,
} from "./break.ts";
import { changeBody, changeError, handlePost, type SyncBreak } from "./sync-break.ts";

const PASSKEY = "/v1/passkey";
const ORIGIN = "https://sync.example.org";

type Completion = Body & { readonly credential: PasskeyAssertion };
type Takes = (body: Completion, seen: ReadonlySet<string>) => boolean;

/** What the real service refuses and `takes` does not is completed with the passkey itself. */
function takeAlso(takes: Takes): NonNullable<SyncBreak["createResponder"]> {
  return (passkey) => {
    const seen = new Set<string>();
    return handlePost(PASSKEY, async (body, ask) => {
      const response = await ask(body);
      if (body["action"] !== "complete") return response;
      const completion = body as Completion;
      const isTaken = response.status === 401 && takes(completion, seen);
      seen.add(completion.credential.response.signature);
      return isTaken ? completeHonestly(completion, passkey, ask) : response;
    });
  };
}

async function completeHonestly(
  body: Completion,
  passkey: SoftwarePasskey,
  ask: (body: Body) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { csrf, attempt } = body;
  const begun = await ask({ action: "begin", csrf, attempt });
  const request = JSON.parse(await readResponseBody(begun)) as PasskeyRequest;
  return ask({ ...body, credential: createAuthenticator(ORIGIN).get(request, { ...passkey }) });
}

interface ClientData {
  readonly origin: string;
  readonly crossOrigin: boolean;
  readonly type: string;
}

const clientDataOf = ({ credential }: Completion) =>
  JSON.parse(
    Buffer.from(credential.response.clientDataJSON, "base64url").toString("utf8"),
  ) as ClientData;

const isVerified = ({ credential }: Completion) =>
  ((Buffer.from(credential.response.authenticatorData, "base64url")[32] ?? 0) & 0x04) !== 0;

export const SYNC_BREAKS_OF_PASSKEYS = toBreaks<SyncBreak>({
  "passkeys-are-announced": {
    "announces passkeys that it has not": (request, { real }) =>
      real(pathOf(request) === PASSKEY ? withTarget(request, "/v1/nothing") : request),
    "has passkeys and does not announce them": changeOk<{ authentication: Body }>(
      "/v1/capabilities",
      (body) => ({
        ...body,
        authentication: { ...body.authentication, passkeys: false },
      }),
    ),
  },
  "passkey-begin-answers-a-challenge": {
    "gives every sign-in the same passkey challenge": changeOk<Body>(PASSKEY, (body) => ({
      ...body,
      challenge: "A".repeat(43),
    })),
    "names another relying party": changeOk<Body>(PASSKEY, (body) => ({
      ...body,
      rpId: "example.com",
    })),
    "lets passkey challenges live for a day": changeOk<Body>(PASSKEY, (body) => ({
      ...body,
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    })),
  },
  "passkey-actions-need-the-csrf-header": {
    "lets other sites begin with a passkey": ignoreHeader(
      "sec-fetch-site",
      (request) => pathOf(request) === PASSKEY,
    ),
  },
  "passkey-attempts-are-checked": {
    "takes unknown members of a passkey's attempt": changeBody(PASSKEY, ({ attempt, ...body }) => {
      const { extra: _, ...known } = (attempt ?? {}) as Body;
      return { ...body, attempt: attempt === null ? null : known };
    }),
  },
  "unknown-passkeys-are-refused": {
    "tells that it does not know a passkey": changeError(
      ({ error }, request) => error === "authentication_failed" && pathOf(request) === PASSKEY,
      () => ({ error: "not_found" }),
    ),
  },
  "passkey-gives-a-code": {
    "gives a passkey's code for another state": changeOk<Body>(PASSKEY, (body) =>
      "code" in body ? { ...body, state: "another-state-0123456789" } : body,
    ),
  },
  "passkey-responses-are-verified": {
    "takes a passkey without user verification": {
      createResponder: takeAlso((body) => !isVerified(body)),
    },
    "takes a passkey of another origin": {
      createResponder: takeAlso((body) => clientDataOf(body).origin !== ORIGIN),
    },
    "takes a passkey in a frame of another site": {
      createResponder: takeAlso((body) => clientDataOf(body).crossOrigin),
    },
    "takes the making of a passkey for its use": {
      createResponder: takeAlso((body) => clientDataOf(body).type !== "webauthn.get"),
    },
  },
  "passkey-responses-are-bound-to-their-attempt": {
    "takes a passkey's response for another attempt": {
      createResponder: takeAlso(
        ({ attempt }) => (attempt as Body)["attemptId"] === "another-attempt",
      ),
    },
  },
  "passkey-responses-work-once": {
    "takes a passkey's response twice": {
      createResponder: takeAlso(({ credential }, seen) => seen.has(credential.response.signature)),
    },
  },
});
