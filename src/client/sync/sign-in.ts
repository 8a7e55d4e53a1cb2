/** Sign-in in an external browser: authorization code with PKCE (RFC 7636), sync contract. */
import { REFUSED_HEADER, TOO_MANY_DEVICES } from "../../contract/sync/refused-operations.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import { createCodeChallenge } from "../../rules/identity/pkce.ts";
import { toDisplayName } from "../../rules/sync/device-name.ts";
import { isSameText } from "../../rules/same-text.ts";
import { parseCallback } from "../transport/callback-address.ts";
import { createSecret } from "../../rules/create-secret.ts";
import { checkServer, explainTokenFailure, findPageError, notSignedIn } from "./check-server.ts";
import { syncError } from "./errors.ts";
import type { LocalStore } from "./local-store.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import {
  changePosition,
  readPosition,
  readRecord,
  SESSION_KEY,
  SIGN_IN_KEY,
  toStart,
  writeRecord,
  type SessionRecord,
  type SignInAttempt,
} from "./records.ts";
import { requestSync, type RequestFailure } from "./request.ts";
import type { BeginSignInResult, NotSignedIn, SignInResult } from "./results.ts";
import type { SyncSettings } from "./settings.ts";
import { readSessionResponse } from "./tokens.ts";

/** Options of `beginSignIn`: the language of the page, and whether local data moves to another account. */
export interface SignInOptions {
  /** The language of the sign-in page; by default as the browser prefers. */
  readonly lang?: "de" | "en";
  /**
   * Takes what this device has of another server along to this one. Otherwise such a sign-in is refused:
   * the other server may be another person's.
   */
  readonly moveData?: boolean;
}

/** A person may open the page twice; older attempts are forgotten. */
const MAX_ATTEMPTS = 4;
const ATTEMPT_ID_BYTES = 16;

export async function beginSignIn(
  settings: SyncSettings,
  store: LocalStore,
  { lang, moveData = false }: SignInOptions,
  signal: AbortSignal,
): Promise<BeginSignInResult> {
  const { baseUrl, redirectUri, deviceName, randomBytes, encryption } = settings;
  const server = await checkServer(settings, signal);
  if (server.kind === "not-signed-in") return server;
  const error = encryption && (await store.read(encryption.findClearError));
  if (error) return notSignedIn(error);
  const displayName = server.takesDisplayName ? toDisplayName(deviceName) : null;
  const attempt: SignInAttempt = {
    baseUrl,
    moveData,
    state: createSecret(randomBytes),
    codeVerifier: createSecret(randomBytes),
    attemptId: encodeBase64Url(randomBytes(ATTEMPT_ID_BYTES)),
    ...(displayName !== null && { displayName }),
  };
  const codeChallenge = await createCodeChallenge(attempt.codeVerifier);
  const deviceId = await store.write(async (transaction) => {
    const attempts = (await readRecord<SignInAttempt[]>(transaction, SIGN_IN_KEY)) ?? [];
    writeRecord(transaction, SIGN_IN_KEY, [attempt, ...attempts].slice(0, MAX_ATTEMPTS));
    return transaction.deviceId;
  });
  const query = new URLSearchParams({
    response_type: "code",
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    state: attempt.state,
    attempt_id: attempt.attemptId,
    device_id: deviceId,
    ...(lang !== undefined && { lang }),
  });
  const pagePath = `/v1/authorize?${query}`;
  const redirectError = await findPageError(settings, pagePath, signal);
  return redirectError === null
    ? { kind: "begun", url: baseUrl + pagePath }
    : notSignedIn(redirectError);
}

/** A lost response can be asked for again: the attempt is forgotten when the server has decided. */
export async function completeSignIn(
  settings: SyncSettings,
  store: LocalStore,
  callbackUrl: string,
  signal: AbortSignal,
): Promise<SignInResult> {
  const { baseUrl, redirectUri, now } = settings;
  const callback = await checkCallback(settings, store, callbackUrl);
  if (callback.kind === "not-signed-in") return callback;
  const { attempt, code } = callback;
  const { codeVerifier, attemptId, displayName } = attempt;
  const grantType = "authorization_code";
  const response = await requestSync(settings, {
    path: "/v1/token",
    method: "POST",
    body: JSON.stringify({ grantType, code, codeVerifier, redirectUri, attemptId, displayName }),
    signal,
  });
  if (response.kind === "failed") {
    if (response.code !== "invalid_grant") {
      return notSignedIn(explainTokenFailure(settings, response));
    }
    await store.write((transaction) => forgetAttempt(transaction, attempt));
    return codeRefused(response);
  }
  const session = readSessionResponse(response.value, now());
  if (session === null) return notSignedIn(syncError("not-a-sync-server"));
  return storeSession(store, baseUrl, session);
}

interface Callback {
  readonly kind: "callback";
  readonly attempt: SignInAttempt;
  readonly code: string;
}

async function checkCallback(
  { baseUrl, redirectUri, encryption }: SyncSettings,
  store: LocalStore,
  callbackUrl: string,
): Promise<Callback | NotSignedIn> {
  const parameters = readCallback(callbackUrl, redirectUri);
  if (parameters === null) {
    return refused("not-the-callback", "This address is not the redirect URI of the app");
  }
  const attempt = await findAttempt(store, parameters.get("state") ?? "");
  if (attempt === undefined || attempt.baseUrl !== baseUrl) {
    return refused("unknown-attempt", "This sign-in was not begun here or is over; begin again");
  }
  const { server = baseUrl } = await store.read(readPosition);
  if (server !== baseUrl && !attempt.moveData) {
    return refused(
      "another-server",
      `This device has data of ${server}; erase it, or begin again with moveData`,
    );
  }
  const clearError = encryption && (await store.read(encryption.findClearError));
  if (clearError) return notSignedIn(clearError);
  const code = parameters.get("code") ?? "";
  return code === ""
    ? refused("missing-code", "The sign-in page gave no code; begin again")
    : { kind: "callback", attempt, code };
}

function codeRefused({ headers }: RequestFailure): SignInResult {
  if (headers?.get(REFUSED_HEADER) === TOO_MANY_DEVICES) {
    return refused(
      "too-many-devices",
      "This account has as many devices as the operator allows; sign one out on the owner's page, then begin again",
    );
  }
  return refused("code-refused", "The sign-in has expired or was used before; begin again");
}

function storeSession(
  store: LocalStore,
  baseUrl: string,
  session: SessionRecord,
): Promise<SignInResult> {
  return store.write(async (transaction) => {
    const position = await readPosition(transaction);
    const isMove = (position.server ?? baseUrl) !== baseUrl;
    await changePosition(transaction, { server: baseUrl, ...(isMove && toStart(position)) });
    writeRecord(transaction, SESSION_KEY, session);
    transaction.delete(SIGN_IN_KEY);
    return { kind: "signed-in", deviceId: transaction.deviceId };
  });
}

type RefusedKind =
  | "not-the-callback"
  | "unknown-attempt"
  | "another-server"
  | "missing-code"
  | "code-refused"
  | "too-many-devices";

function refused(kind: RefusedKind, message: string): NotSignedIn {
  return notSignedIn({ kind, message });
}

/** The parameters of the callback, from its query or its fragment; null for another address. */
function readCallback(callbackUrl: string, redirectUri: string): URLSearchParams | null {
  const callback = parseCallback(callbackUrl, redirectUri);
  if (callback === null) return null;
  const inFragment = new URLSearchParams(callback.hash.slice(1));
  return inFragment.has("state") ? inFragment : callback.searchParams;
}

async function findAttempt(store: LocalStore, state: string): Promise<SignInAttempt | undefined> {
  const attempts = await store.read((tx) => readRecord<SignInAttempt[]>(tx, SIGN_IN_KEY));
  return attempts?.find((attempt) => isSameText(attempt.state, state));
}

async function forgetAttempt(
  transaction: LocalTransaction,
  { attemptId }: SignInAttempt,
): Promise<void> {
  const attempts = (await readRecord<SignInAttempt[]>(transaction, SIGN_IN_KEY)) ?? [];
  const others = attempts.filter((attempt) => attempt.attemptId !== attemptId);
  writeRecord(transaction, SIGN_IN_KEY, others);
}
