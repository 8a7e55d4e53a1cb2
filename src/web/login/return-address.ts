/** The address a person goes back to, with the part that says whose it is made plain. */
import { html, type Html } from "../html.ts";

export function returnAddress(redirectUri: string): Html {
  const end = ownerEnd(redirectUri);
  return html`<code><b>${redirectUri.slice(0, end)}</b>${redirectUri.slice(end)}</code>`;
}

/** An app of its own is known by its scheme, a web address by its host. */
function ownerEnd(redirectUri: string): number {
  const web = /^https?:\/\/[^/?#]*/i.exec(redirectUri);
  return web === null ? redirectUri.indexOf(":") + 1 : web[0].length;
}
