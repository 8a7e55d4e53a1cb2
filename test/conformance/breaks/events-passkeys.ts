import { EVENTS_PAGE_ROUTES } from "../../../src/contract/events/page-routes.ts";
import type { PasskeyAssertion } from "../../../src/contract/passkey.ts";
import type { PasskeySignInBody } from "../../../src/contract/passkey-pages.ts";
import {
  ignoreHeader,
  isPost,
  pathOf,
  readText,
  withBody,
  withStatus,
  withText,
  type BrokenResponder,
  toBreaks,
} from "./break.ts";
import { errorLike, type EventsBreak } from "./events-break.ts";

const SIGN_IN = EVENTS_PAGE_ROUTES.signInWithPasskey.path;
const ADD = EVENTS_PAGE_ROUTES.addPasskey.path;

/** Decides on completed sign-ins, by the credential and the status of the real response. */
function decide(
  accepts: (credential: PasskeyAssertion, isAccepted: boolean) => boolean,
): BrokenResponder {
  return async (request, { real }) => {
    if (!isPost(request, SIGN_IN)) return real(request);
    const text = await readText(request);
    const response = await real(withText(request, text));
    const body = JSON.parse(text) as PasskeySignInBody;
    if (body.action === "begin") return response;
    const isAccepted = response.status === 200;
    if (accepts(body.credential, isAccepted) === isAccepted) return response;
    return isAccepted
      ? errorLike(response, "authentication_failed")
      : withBody(withStatus(response, 200), JSON.stringify({ next: "/" }));
  };
}

const acceptWhen = (picks: (credential: PasskeyAssertion) => boolean) =>
  decide((credential, isAccepted) => isAccepted || picks(credential));

const clientDataOf = ({ response }: PasskeyAssertion) =>
  JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString()) as {
    readonly origin: string;
  };
const isUserVerified = ({ response }: PasskeyAssertion) =>
  ((Buffer.from(response.authenticatorData, "base64url")[32] ?? 0) & 0x04) !== 0;

export const EVENTS_BREAKS_OF_PASSKEYS = toBreaks<EventsBreak>({
  "passkeys-sign-in-for-an-app, passkey-challenges-are-for-one-sign-in, passkey-counters-do-not-go-back":
    {
      "refuses every passkey": decide(() => false),
    },
  "passkeys-need-their-page-and-a-verified-person": {
    "takes signatures that other pages got": acceptWhen((credential) =>
      clientDataOf(credential).origin.includes("phishing"),
    ),
    "does not ask who used the passkey": acceptWhen((credential) => !isUserVerified(credential)),
  },
  "passkey-challenges-are-for-one-sign-in, passkey-counters-do-not-go-back, removed-passkeys-sign-nobody-in":
    {
      "takes every signature of a passkey that it had": acceptWhen(() => true),
    },
  "passkey-requests-need-their-token": {
    "lets other sites begin with passkeys": ignoreHeader("sec-fetch-site", (request) =>
      [SIGN_IN, ADD].includes(pathOf(request) as typeof SIGN_IN),
    ),
  },
});
