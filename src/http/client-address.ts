import { BlockList, isIP } from "node:net";

export type ReadClientAddress = (
  socketAddress: string | undefined,
  forwardedFor: string | null,
) => string;

/** Whether an address is that of a proxy whose X-Forwarded-For can be believed. */
export function createProxyCheck(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const [address = "", prefix] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  return (address) =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/**
 * The socket's address, or the last hop of X-Forwarded-For that is not a trusted proxy. Any client can
 * send the header, so it only counts when the socket itself belongs to a trusted proxy.
 */
export function createClientAddressReader(trustedProxies: readonly string[]): ReadClientAddress {
  const isTrusted = createProxyCheck(trustedProxies);
  return (socketAddress, forwardedFor) => {
    let client = plainAddress(socketAddress ?? "");
    if (forwardedFor === null || !isTrusted(client)) return client;
    for (const hop of forwardedFor.split(",").toReversed()) {
      const address = plainAddress(hop.trim());
      // A trusted proxy writes addresses only, so the hop after this one is the client.
      if (isIP(address) === 0) return client;
      client = address;
      if (!isTrusted(address)) return client;
    }
    return client;
  };
}

/** Removes port and brackets, and turns an IPv4 address that an IPv6 socket reports into plain IPv4. */
export function plainAddress(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1];
  const address = bracketed ?? withPort ?? text;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
