/**
 * The networks of a client address. Limits count each of them, because a client may have many networks
 * of the next narrower kind: a site has 65,536 networks /64, a provider as many sites.
 */
import { isIPv4, isIPv6 } from "node:net";

/**
 * Widest first: the /32, /48 and /64 networks of an IPv6 address, the /16 and /24 networks of an IPv4
 * address and that address. A text that is no address stands for all three.
 */
export type ClientNetworks = readonly [provider: string, site: string, own: string];

/** What the networks of one kind have of a limit, as a multiple of what a client has. */
export interface NetworkShare {
  readonly key: string;
  readonly share: number;
}

/** Neighbours share a wide network, so one client alone must not be able to use it up. */
const SHARES = [16, 4, 1] as const;

export function clientNetworks(address: string): ClientNetworks {
  const groups = readGroups(address);
  const ipv4 = groups === null ? address : toMappedIpv4(groups);
  if (ipv4 !== null) return ipv4Networks(ipv4);
  const prefix = (bits: number) => `${groups?.slice(0, bits / 16).join(":")}::/${bits}`;
  return [prefix(32), prefix(48), prefix(64)];
}

/** The /24 network of an IPv4 address, or the /48 network of an IPv6 address; null for other texts. */
export function networkPrefix(address: string): string | null {
  const [, site, own] = clientNetworks(address);
  return site === own ? null : site;
}

/** What a rate limit counts for a client. */
export function networkShares(networks: ClientNetworks): readonly NetworkShare[] {
  return networks.map((key, index) => ({ key, share: SHARES[index] ?? 1 }));
}

/** A rate limit for the networks of a client address. */
export function limitByNetwork<Result>(limiter: {
  consumeEach(shares: readonly NetworkShare[]): Promise<Result>;
}) {
  return {
    consume: (address: string) => limiter.consumeEach(networkShares(clientNetworks(address))),
  };
}

function ipv4Networks(address: string): ClientNetworks {
  if (!isIPv4(address)) return [address, address, address];
  const bytes = address.split(".");
  return [`${bytes.slice(0, 2).join(".")}.0.0/16`, `${bytes.slice(0, 3).join(".")}.0/24`, address];
}

/** The eight groups of an IPv6 address; null for other texts. */
function readGroups(address: string): string[] | null {
  const [plain = ""] = address.split("%");
  if (!isIPv6(plain)) return null;
  // The URL standard normalises the address: lower case, no leading zeros, "::" once.
  const { hostname } = new URL(`http://[${plain}]`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const groups = splitGroups(head);
  if (tail !== undefined) {
    const last = splitGroups(tail);
    while (groups.length + last.length < 8) groups.push("0");
    groups.push(...last);
  }
  return groups;
}

function toMappedIpv4(groups: readonly string[]): string | null {
  const mapped = /^0:0:0:0:0:ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(groups.join(":"));
  return mapped === null ? null : ipv4(Number(`0x${mapped[1]}`), Number(`0x${mapped[2]}`));
}

function splitGroups(text: string): string[] {
  return text === "" ? [] : text.split(":");
}

function ipv4(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
