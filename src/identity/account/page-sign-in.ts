/** The sign-in on a page of the service, which opens a session, and the proof of the password inside of one. */
import type { PasskeySignInBody } from "../../contract/passkey-pages.ts";
import type {
  ProofAccepted,
  ProofChallenge,
  SignInBody,
  SignInComplete,
} from "../../contract/password-proof.ts";
import { parseUsername } from "../../rules/identity/grammar.ts";
import type { NoteSecurityEvent } from "../security-log.ts";
import type { BeginResult } from "../sign-in.ts";
import type { AccountContext } from "./account-context.ts";
import {
  refuse,
  respond,
  type AccountRecords,
  type AccountRequest,
  type AccountResponse,
  type SignInTarget,
} from "./account-service.ts";
import { readOrigin, type Granted, type Proved, type Ungranted, type Visit } from "./ways-in.ts";

type Proof = Pick<SignInComplete, "challengeId" | "clientNonce" | "proof">;
export interface SessionOpening extends Pick<Visit, "purpose">, Pick<SignInTarget, "next"> {
  readonly interaction: string;
}

export type PageSignIn<Records extends AccountRecords> = ReturnType<
  typeof createPageSignIn<Records>
>;

export function createPageSignIn<Records extends AccountRecords>({
  service,
  checks,
  sessions,
  waysIn,
}: AccountContext<Records>) {
  const { knownBrowser } = service;

  return {
    async signIn(body: SignInBody, request: AccountRequest): Promise<AccountResponse> {
      const interaction = checks.readInteraction(body.csrf, request);
      if (interaction === null) return refuse("csrf_failed");
      if (body.action === "complete") {
        const target = service.findTarget(interaction, request);
        return openByPassword(body, { ...target, interaction }, request, noteNewDevice(request));
      }
      const username = parseUsername(body.username);
      return username === null ? refuse("invalid_request") : begin(username, interaction, request);
    },

    async signInWithPasskey(
      body: PasskeySignInBody,
      request: AccountRequest,
    ): Promise<AccountResponse> {
      const { passkeys } = waysIn;
      if (passkeys === null) return { kind: "unknown-path" };
      const interaction = checks.readInteraction(body.csrf, request);
      if (interaction === null) return refuse("csrf_failed");
      // The token is that of one sign-in in one browser.
      const attempt = body.csrf;
      if (body.action === "begin") return respond(passkeys.begin(attempt));
      const { next, purpose } = service.findTarget(interaction, request);
      const { credential } = body;
      const proof = { attempt, credential, purpose, ...readOrigin(request, knownBrowser) };
      const result = await passkeys.prove(proof, async (records, proved, note) => {
        await noteNewDevice(request)(records, note, proved);
        return sessions.open(records, proved.accountId, request);
      });
      return finish(result, () => ({ next }));
    },

    begin,
    openByPassword,
  };

  async function begin(
    username: string,
    interaction: string,
    request: AccountRequest,
  ): Promise<AccountResponse> {
    const origin = readOrigin(request, knownBrowser);
    const result = await waysIn.begin(username, { interaction }, origin);
    return result.kind === "throttled"
      ? { ...result, kind: "rate-limited" }
      : respond(describeChallenge(result));
  }

  /** Runs `onProved` in the transaction of a valid proof, before it opens a session. */
  async function openByPassword(
    { challengeId, clientNonce, proof }: Proof,
    { interaction, purpose, next }: SessionOpening,
    request: AccountRequest,
    onProved: (records: Records, note: NoteSecurityEvent, proved: Proved) => Promise<void>,
  ): Promise<AccountResponse> {
    const result = await waysIn.provePassword(
      {
        challengeId,
        clientNonce,
        proof,
        claimed: { interaction },
        purpose,
        ...readOrigin(request, knownBrowser),
      },
      async (records, proved, note) => {
        await onProved(records, note, proved);
        return sessions.open(records, proved.accountId, request);
      },
    );
    return finish(result, ({ serverSignature }): ProofAccepted => ({ serverSignature, next }));
  }

  function finish<G extends Granted<string>>(
    result: G | Ungranted,
    toBody: (granted: G) => object,
  ): AccountResponse {
    switch (result.kind) {
      case "granted":
        return respond(toBody(result), knownBrowser.keep(result.knownBrowser), [result.value]);
      case "failed":
        return refuse("authentication_failed");
      case "throttled":
        return { ...result, kind: "rate-limited" };
    }
  }
}

function noteNewDevice(request: AccountRequest) {
  return async (_records: unknown, note: NoteSecurityEvent, { isKnownBrowser }: Proved) => {
    if (!isKnownBrowser) await note("new-device", request.clientAddress());
  };
}

export function describeChallenge({
  challenge: { expiresAt, ...challenge },
}: Extract<BeginResult, { kind: "challenged" }>): ProofChallenge {
  return { ...challenge, expiresAt: new Date(expiresAt).toISOString() };
}
