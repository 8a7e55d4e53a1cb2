import { BlockList, isIP } from "node:net";

export type ReadClientAddress = (
  socketAddress: string | undefined,
  forwardedFor: string | null,
) => string;

/**
 * The socket's address, or the last hop of X-Forwarded-For that is not a trusted proxy. Any client can
 * send the header, so it only counts when the socket itself belongs to a trusted proxy.
 */
export function createClientAddressReader(trustedProxies: readonly string[]): ReadClientAddress {
  const isTrusted = createAddressMatcher(trustedProxies);

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

/** Whether an address, as a socket reports it, is among addresses and CIDR ranges. */
export function createAddressMatcher(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", prefix] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (text) => {
    const address = plainAddress(text);
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? "ipv6" : "ipv4");
  };
}

/** Without port and brackets, and an IPv4 address that an IPv6 socket reports as IPv4. */
function plainAddress(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1];
  const address = bracketed ?? withPort ?? text;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
