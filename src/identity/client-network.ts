/** The network of a client address: for limits as narrow as one client, for logs without the client. */
import { isIPv4, isIPv6 } from "node:net";

/** One client for rate limits: an IPv4 address, or the /64 network of an IPv6 address. */
export function clientNetwork(address: string): string {
  const groups = readGroups(address);
  if (groups === null) return address;
  return toMappedIpv4(groups) ?? `${groups.slice(0, 4).join(":")}::/64`;
}

/** The /24 network of an IPv4 address, or the /48 network of an IPv6 address; null for other texts. */
export function networkPrefix(address: string): string | null {
  const groups = readGroups(address);
  const ipv4 = groups === null ? address : toMappedIpv4(groups);
  if (ipv4 !== null) {
    return isIPv4(ipv4) ? `${ipv4.split(".").slice(0, 3).join(".")}.0/24` : null;
  }
  return groups === null ? null : `${groups.slice(0, 3).join(":")}::/48`;
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
