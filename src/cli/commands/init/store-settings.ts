/** The questions of `init` about sync, events and the backups of both. */
import { loadRecipientCheck } from "../../../configuration/age-recipients.ts";
import type { ServiceName } from "../../../configuration/configuration.ts";
import { SYNC_PROFILES } from "../../../contract/sync/operation-limits.ts";
import { findRedirectError } from "../../../identity/redirect-error.ts";
import { option, UsageError, type PromptContext } from "../../command.ts";
import { parseChoice } from "../release/parse-options.ts";
import { ask, askList, checkAddress, checkOrigins, checkRedirectUris, splitWords } from "./ask.ts";

export const SYNC_OPTIONS = {
  "sync-base-url": option("URL", "sync: public address"),
  "sync-name": option("NAME", "sync: the name of the instance on its sign-in page"),
  "sync-redirect-uri": option(
    "URI",
    "sync: a redirect URI of the app, from the app's documentation",
    { multiple: true },
  ),
  "sync-profile": option(
    "NAME",
    "sync: `open` for any app, `sealed` for any app that encrypts end to end, or `habits`, the default, for a habit tracker",
  ),
  "sync-cors-origin": option("ORIGIN", "sync: a web app that may sync, by its exact origin", {
    multiple: true,
  }),
} as const;

export async function askSyncSettings(context: PromptContext) {
  const baseUrl = await ask(
    context,
    "sync-base-url",
    "Public address of personal sync",
    "http://localhost:4811",
    checkAddress,
  );
  const displayName = await ask(
    context,
    "sync-name",
    "Name of the instance on its sign-in page",
    "My sync",
  );
  const redirectUris = await askList(
    context,
    "sync-redirect-uri",
    "Redirect URIs of the app, separated by spaces (its documentation names them)",
    "http://localhost:43823/callback",
    checkRedirectUris,
  );
  const profile = await ask(
    context,
    "sync-profile",
    "Profile of the app's data: open (any app), sealed (any app that encrypts end to end) or habits (a habit tracker)",
    "habits",
    (answer) => (isProfile(answer.trim()) ? undefined : `Give ${SYNC_PROFILES.join(", ")}`),
  );
  const corsOrigins = await askList(
    context,
    "sync-cors-origin",
    "Origins of web apps that sync, separated by spaces, such as https://app.example.com (empty: none)",
    "",
    checkOrigins,
  );
  const allowedSchemes = listSchemes(redirectUris);
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(displayName !== undefined && { displayName }),
    redirectUris,
    ...(allowedSchemes.length > 0 && { allowedSchemes }),
    ...(profile !== undefined && {
      profile: parseChoice("--sync-profile", profile, SYNC_PROFILES),
    }),
    ...(corsOrigins.length > 0 && { corsOrigins }),
  };
}

function isProfile(text: string): boolean {
  return SYNC_PROFILES.some((profile) => profile === text);
}

/** Private schemes without a dot must be allowed by name; who names the whole address means them. */
function listSchemes(uris: readonly string[]): string[] {
  const dotless = uris.filter(
    (uri) => findRedirectError(uri, "any") === null && findRedirectError(uri, []) !== null,
  );
  return [...new Set(dotless.map((uri) => new URL(uri).protocol.slice(0, -1)))];
}

export const EVENTS_OPTIONS = {
  "events-base-url": option("URL", "events: public address"),
  "events-name": option("NAME", "events: the display name of the service"),
  "time-zone": option("ZONE", "events: default time zone of accounts, such as Europe/Berlin"),
  "events-client-id": option("ID", "events: the client id of the app that may request access"),
  "events-client-name": option("NAME", "events: the display name of that app (default: its id)"),
  "events-redirect-uri": option("URI", "events: a redirect URI of that app", { multiple: true }),
} as const;

export async function askEventsSettings(context: PromptContext) {
  const baseUrl = await ask(
    context,
    "events-base-url",
    "Public address of the events service",
    "http://localhost:4821",
    checkAddress,
  );
  const serviceName = await ask(
    context,
    "events-name",
    "Display name of the events service",
    "My planner",
  );
  const { timeZone: ownZone } = new Intl.DateTimeFormat().resolvedOptions();
  const timeZone = await ask(context, "time-zone", "Default time zone of accounts", ownZone);
  const id = await ask(
    context,
    "events-client-id",
    "Client id of the app that may request access (its documentation names it)",
    "trellis-demo",
    (answer) => (/^[\x21-\x7e]{1,128}$/.test(answer) ? undefined : "Give an id without spaces"),
  );
  const name = await ask(context, "events-client-name", "Display name of that app", id ?? "");
  const redirectUris = await askList(
    context,
    "events-redirect-uri",
    "Redirect URIs of that app, separated by spaces",
    "http://localhost:43823/callback",
    checkRedirectUris,
  );
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(serviceName !== undefined && { serviceName }),
    ...(timeZone !== undefined && { timeZone }),
    clients: [{ id, name: name ?? id, redirectUris }],
  };
}

export const BACKUP_OPTIONS = {
  "backup-encrypt-to": option(
    "KEY",
    "sync, events: make a backup each day, encrypted to this public key of age",
    { multiple: true },
  ),
} as const;

/** The part of a section; empty without a key, which leaves the backups to the operator. */
export async function askBackupSettings(
  context: PromptContext,
  services: readonly ServiceName[],
): Promise<{ backup?: { encryptTo: string[] } }> {
  const hasStore = services.includes("sync") || services.includes("events");
  if (!hasStore) {
    if ((context.options["backup-encrypt-to"] as string[]).length === 0) return {};
    throw new UsageError("--backup-encrypt-to is for the sync and events services");
  }
  const findError = await loadRecipientCheck();
  const encryptTo = await askList(
    context,
    "backup-encrypt-to",
    "Public keys (age1…, from `age-keygen` on another machine) for an encrypted backup each day, separated by spaces; empty: the server makes no backups",
    "",
    (answer) => {
      const error = splitWords(answer)
        .map(findError)
        .find((found) => found !== null);
      return error === undefined ? undefined : `It ${error}`;
    },
  );
  return encryptTo.length === 0 ? {} : { backup: { encryptTo } };
}
