/** The questions of `init` about the events service. */
import { option, type PromptContext } from "../../command.ts";
import { ask, askList, checkAddress, checkRedirectUris } from "./ask.ts";

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
