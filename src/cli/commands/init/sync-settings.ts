/** The questions of `init` about personal sync. */
import { findRedirectError } from "../../../identity/redirect-error.ts";
import { option, type PromptContext } from "../../command.ts";
import { ask, askList, checkAddress, checkRedirectUris } from "./ask.ts";

export const SYNC_OPTIONS = {
  "sync-base-url": option("URL", "sync: public address"),
  "sync-name": option("NAME", "sync: the name of the instance on its sign-in page"),
  "sync-redirect-uri": option(
    "URI",
    "sync: where a sign-in may end; the app's documentation names it",
    { multiple: true },
  ),
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
  const allowedSchemes = listSchemes(redirectUris);
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(displayName !== undefined && { displayName }),
    redirectUris,
    ...(allowedSchemes.length > 0 && { allowedSchemes }),
  };
}

/** Private schemes without a dot must be allowed by name; who names the whole address means them. */
function listSchemes(uris: readonly string[]): string[] {
  const dotless = uris.filter(
    (uri) => findRedirectError(uri, "any") === null && findRedirectError(uri, []) !== null,
  );
  return [...new Set(dotless.map((uri) => new URL(uri).protocol.slice(0, -1)))];
}
