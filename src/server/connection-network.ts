/** The networks that a connection counts for: a reverse proxy carries the connections of all clients. */
import { isLoopback } from "../contract/loopback.ts";
import { createProxyCheck, plainAddress } from "../http/client-address.ts";
import type { ConnectionShare } from "../http/create-server.ts";
import { clientNetworks, networkShares } from "../identity/client-network.ts";

export function createConnectionNetworks(
  trustedProxies: readonly string[],
): (address: string) => readonly ConnectionShare[] {
  const isTrusted = createProxyCheck(trustedProxies);
  return (socketAddress) => {
    const address = plainAddress(socketAddress);
    const isExempt = address === "::1" || isLoopback(address) || isTrusted(address);
    return isExempt ? [] : networkShares(clientNetworks(address));
  };
}
