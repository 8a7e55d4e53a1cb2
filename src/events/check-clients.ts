/** The apps of the configuration: whatever is wrong with one stops the start. */
import { findRedirectError } from "../identity/redirect-error.ts";
import type { RegisteredClient } from "../rules/events/wire/check-authorization.ts";

export function checkClients(clients: readonly RegisteredClient[]): void {
  if (clients.length === 0) throw new Error("At least one client is needed");
  const ids = new Set(clients.map(({ id }) => id));
  if (ids.size < clients.length) throw new Error("Two clients have the same id");
  for (const { id, name, redirectUris } of clients) {
    if (id === "" || name === "") throw new Error(`The client "${id}" needs an id and a name`);
    if (redirectUris.length === 0) throw new Error(`The client "${id}" has no redirect URI`);
    for (const uri of redirectUris) {
      // Addresses are listed one by one, so a private scheme is meant, with or without a dot.
      const fault = findRedirectError(uri, "any");
      if (fault !== null) {
        throw new Error(`Cannot use the redirect URI "${uri}" of the client "${id}": ${fault}`);
      }
    }
  }
}
