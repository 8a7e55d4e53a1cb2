import type { RequestContext } from "../../http/request.ts";
import { isCrossOrigin } from "../../identity/csrf.ts";
import { consentPath } from "../oauth/interactions.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import type { EventsReads } from "../store.ts";

export interface SignInRequest {
  readonly interaction: string;
  /** The path to go to after the sign-in. */
  readonly next: string;
  /** False when the app's authorization request has expired. */
  isLive(records: Pick<EventsReads, "interactions">): Promise<boolean>;
}

/** Null for a request that did not come from the sign-in page in this browser. */
export function readSignInRequest(
  { csrf, interactions, sessions }: Pick<EventsDependencies, "csrf" | "interactions" | "sessions">,
  token: string,
  context: RequestContext,
): SignInRequest | null {
  const browser = sessions.readBrowser(context);
  if (browser === "" || isCrossOrigin(context)) return null;
  const interaction = csrf.readSignInToken(token, browser);
  if (interaction === null) return null;
  const ownPath = interactions.findOwnPath(interaction);
  return {
    interaction,
    next: ownPath ?? consentPath(interaction),
    isLive: async (records) =>
      ownPath !== null || (await interactions.find(browser, interaction, records)) !== null,
  };
}
