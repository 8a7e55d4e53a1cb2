/**
 * Browsers from which an account has signed in, or that a sign-in link introduced (OWASP, device cookies).
 * A browser keeps a random token for each such account; failed sign-ins with it are counted apart, so that
 * others who guess the password cannot lock the owner out. A token is no credential: the password is needed all the same.
 */
import { DAY_MS } from "../contract/durations.ts";
import type { RandomBytes } from "../rules/web-crypto.ts";
import {
  clientNetworks,
  networkShares,
  type ClientNetworks,
  type NetworkShare,
} from "./client-network.ts";
import type {
  IdentityRecords,
  KnownBrowserBounds,
  KnownBrowserRecord,
} from "./identity-records.ts";
import { createSecret } from "../rules/create-secret.ts";
import { hashSecret, isSecret } from "./one-time-secrets.ts";

export type SignInClient =
  | {
      readonly kind: "known-browser";
      readonly hash: string;
      readonly accountId: string;
      /** False for a browser that only a sign-in link made known. */
      readonly hasSignedIn: boolean;
    }
  | { readonly kind: "unknown"; readonly networks: ClientNetworks };

export interface IdentifiedRequest {
  readonly username: string;
  readonly address: string;
  /** The value that the browser keeps, as it came; null without one. */
  readonly knownBrowser: string | null;
}

type KnownBrowserReader = Pick<IdentityRecords, "findKnownBrowsers">;

/** A person who was away for a summer is still known. */
export const KNOWN_BROWSER_SECONDS = 365 * 86_400;
/** The response with a new token may be lost, so the old one counts until the new one comes back. */
const REPLACED_TOKEN_MS = 30 * DAY_MS;
/** How long a browser that used a sign-in link is known without a sign-in: the password may have to be found. */
const INTRODUCED_MS = DAY_MS;
/**
 * The bounds of one account. Each token is a counter of its own, so there must not be too many.
 * Browsers that came back are bounded apart: a script that signs in and keeps no token must not
 * evict them.
 */
const BOUNDS: KnownBrowserBounds = { maxTokens: 4, maxUnconfirmed: 32, maxConfirmed: 32 };
/** The number of accounts that one browser is known for: a family may share it. */
const MAX_PER_BROWSER = 4;

/** A browser is known only for the accounts that signed in from it, or whose link it used. */
export async function identifyClient(
  records: KnownBrowserReader,
  { username, address, knownBrowser }: IdentifiedRequest,
  now: number,
): Promise<SignInClient> {
  const found = await findLive(records, readTokens(knownBrowser), now);
  const own = found.find((browser) => browser.username === username);
  return own === undefined
    ? { kind: "unknown", networks: clientNetworks(address) }
    : {
        kind: "known-browser",
        hash: own.hash,
        accountId: own.accountId,
        hasSignedIn: own.hasSignedIn,
      };
}

/** Whether the account has signed in from this browser. */
export async function hasSignedInFrom(
  records: KnownBrowserReader,
  request: IdentifiedRequest,
  now: number,
): Promise<boolean> {
  const client = await identifyClient(records, request, now);
  return client.kind === "known-browser" && client.hasSignedIn;
}

/** Whether any account has signed in from this browser. */
export async function isKnownBrowser(
  records: KnownBrowserReader,
  knownBrowser: string | null,
  now: number,
): Promise<boolean> {
  return (await findLive(records, readTokens(knownBrowser), now)).length > 0;
}

/** What the limit of begun sign-ins counts for a client, widest first. */
export function clientShares(client: SignInClient): readonly NetworkShare[] {
  return client.kind === "unknown"
    ? networkShares(client.networks)
    : [{ key: `browser ${client.hash}`, share: 1 }];
}

/** Returns the value that the browser keeps from now on; its token of this account is a new one. */
export async function rememberBrowser(
  records: IdentityRecords,
  knownBrowser: string | null,
  accountId: string,
  now: number,
  randomBytes: RandomBytes,
): Promise<string> {
  const { given, found, own } = await findOwn(records, knownBrowser, accountId, now);
  if (own !== undefined) {
    await records.confirmKnownBrowser(own, BOUNDS);
    await records.limitKnownBrowser(own.hash, now + REPLACED_TOKEN_MS);
  }
  const token = createSecret(randomBytes);
  const hash = hashSecret(token);
  const expiresAt = now + KNOWN_BROWSER_SECONDS * 1000;
  const browserId = own?.browserId ?? hash;
  await records.addKnownBrowser(
    { hash, accountId, browserId, expiresAt, hasSignedIn: true },
    BOUNDS,
  );
  return joinTokens(token, accountId, given, found);
}

/** Makes the browser a known one that has yet to sign in. Returns the value that it keeps from now on. */
export async function introduceBrowser(
  records: IdentityRecords,
  knownBrowser: string | null,
  accountId: string,
  now: number,
  randomBytes: RandomBytes,
): Promise<string> {
  const { given, found, own } = await findOwn(records, knownBrowser, accountId, now);
  // A browser that is known already keeps its token, and with it the failures that it has.
  const kept = given.find((token) => hashSecret(token) === own?.hash);
  const token = kept ?? createSecret(randomBytes);
  if (kept === undefined) {
    const hash = hashSecret(token);
    const expiresAt = now + INTRODUCED_MS;
    await records.addKnownBrowser(
      { hash, accountId, browserId: hash, expiresAt, hasSignedIn: false },
      BOUNDS,
    );
  }
  return joinTokens(token, accountId, given, found);
}

/** The token of this account, then the live ones of other accounts. */
function joinTokens(
  token: string,
  accountId: string,
  given: readonly string[],
  found: readonly KnownBrowserRecord[],
): string {
  const others = found.filter((browser) => browser.accountId !== accountId);
  const kept = given.filter((other) =>
    others.some((browser) => browser.hash === hashSecret(other)),
  );
  return [token, ...kept].slice(0, MAX_PER_BROWSER).join(".");
}

/** Notes that the browser of an account is in use. */
export async function confirmBrowser(
  records: IdentityRecords,
  knownBrowser: string | null,
  accountId: string,
  now: number,
): Promise<void> {
  const { own } = await findOwn(records, knownBrowser, accountId, now);
  if (own !== undefined) await records.confirmKnownBrowser(own, BOUNDS);
}

/** The tokens that a browser sent, the live ones of them, and that of the account. */
async function findOwn(
  records: KnownBrowserReader,
  knownBrowser: string | null,
  accountId: string,
  now: number,
) {
  const given = readTokens(knownBrowser);
  const found = await findLive(records, given, now);
  return { given, found, own: found.find((browser) => browser.accountId === accountId) };
}

async function findLive(records: KnownBrowserReader, tokens: readonly string[], now: number) {
  return tokens.length === 0 ? [] : records.findKnownBrowsers(tokens.map(hashSecret), now);
}

/** Reads the tokens of a value; none of a value that is not ours. */
function readTokens(knownBrowser: string | null): readonly string[] {
  const tokens = knownBrowser?.split(".", MAX_PER_BROWSER + 1) ?? [];
  const isOurs = tokens.length <= MAX_PER_BROWSER && tokens.every(isSecret);
  return isOurs ? [...new Set(tokens)] : [];
}
