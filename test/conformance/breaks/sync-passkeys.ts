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

const verified = ["passkey-responses-are-verified"];

export const SYNC_BREAKS_OF_PASSKEYS: readonly SyncBreak[] = [
  {
    name: "announces passkeys that it has not",
    caughtBy: ["passkeys-are-announced"],
    respond: (request, { real }) =>
      real(pathOf(request) === PASSKEY ? withTarget(request, "/v1/nothing") : request),
  },
  {
    name: "has passkeys and does not announce them",
    caughtBy: ["passkeys-are-announced"],
    respond: changeOk<{ authentication: Body }>("/v1/capabilities", (body) => ({
      ...body,
      authentication: { ...body.authentication, passkeys: false },
    })),
  },
  {
    name: "gives every sign-in the same passkey challenge",
    caughtBy: ["passkey-begin-answers-a-challenge"],
    respond: changeOk<Body>(PASSKEY, (body) => ({ ...body, challenge: "A".repeat(43) })),
  },
  {
    name: "names another relying party",
    caughtBy: ["passkey-begin-answers-a-challenge"],
    respond: changeOk<Body>(PASSKEY, (body) => ({ ...body, rpId: "example.com" })),
  },
  {
    name: "lets passkey challenges live for a day",
    caughtBy: ["passkey-begin-answers-a-challenge"],
    respond: changeOk<Body>(PASSKEY, (body) => ({
      ...body,
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    })),
  },
  {
    name: "lets other sites begin with a passkey",
    caughtBy: ["passkey-actions-need-the-csrf-header"],
    respond: ignoreHeader("sec-fetch-site", (request) => pathOf(request) === PASSKEY),
  },
  {
    name: "takes unknown members of a passkey's attempt",
    caughtBy: ["passkey-attempts-are-checked"],
    respond: changeBody(PASSKEY, ({ attempt, ...body }) => {
      const { extra: _, ...known } = (attempt ?? {}) as Body;
      return { ...body, attempt: attempt === null ? null : known };
    }),
  },
  {
    name: "tells that it does not know a passkey",
    caughtBy: ["unknown-passkeys-are-refused"],
    respond: changeError(
      ({ error }, request) => error === "authentication_failed" && pathOf(request) === PASSKEY,
      () => ({ error: "not_found" }),
    ),
  },
  {
    name: "gives a passkey's code for another state",
    caughtBy: ["passkey-gives-a-code"],
    respond: changeOk<Body>(PASSKEY, (body) =>
      "code" in body ? { ...body, state: "another-state-0123456789" } : body,
    ),
  },
  {
    name: "takes a passkey without user verification",
    caughtBy: verified,
    createResponder: takeAlso((body) => !isVerified(body)),
  },
  {
    name: "takes a passkey of another origin",
    caughtBy: verified,
    createResponder: takeAlso((body) => clientDataOf(body).origin !== ORIGIN),
  },
  {
    name: "takes a passkey in a frame of another site",
    caughtBy: verified,
    createResponder: takeAlso((body) => clientDataOf(body).crossOrigin),
  },
  {
    name: "takes the making of a passkey for its use",
    caughtBy: verified,
    createResponder: takeAlso((body) => clientDataOf(body).type !== "webauthn.get"),
  },
  {
    name: "takes a passkey's response for another attempt",
    caughtBy: ["passkey-responses-are-bound-to-their-attempt"],
    createResponder: takeAlso(
      ({ attempt }) => (attempt as Body)["attemptId"] === "another-attempt",
    ),
  },
  {
    name: "takes a passkey's response twice",
    caughtBy: ["passkey-responses-work-once"],
    createResponder: takeAlso(({ credential }, seen) => seen.has(credential.response.signature)),
  },
];
