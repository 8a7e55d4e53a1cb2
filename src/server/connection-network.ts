/** The network that a connection counts for: a reverse proxy carries the connections of all clients. */
import { isLoopback } from "../contract/loopback.ts";
import { createProxyCheck, plainAddress } from "../http/client-address.ts";
import { clientNetwork } from "../identity/client-network.ts";

export function createConnectionNetwork(
  trustedProxies: readonly string[],
): (address: string) => string | null {
  const isTrusted = createProxyCheck(trustedProxies);
  return (socketAddress) => {
    const address = plainAddress(socketAddress);
    const isExempt = address === "::1" || isLoopback(address) || isTrusted(address);
    return isExempt ? null : clientNetwork(address);
  };
}
