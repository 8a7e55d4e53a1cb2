/** One client for rate limits: an IPv4 address, or the /64 network of an IPv6 address. */
import { isIPv6 } from "node:net";

export function clientNetwork(address: string): string {
  const [plain = ""] = address.split("%");
  if (!isIPv6(plain)) return address;
  // The URL standard normalises the address: lower case, no leading zeros, "::" once.
  const { hostname } = new URL(`http://[${plain}]`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const groups = splitGroups(head);
  if (tail !== undefined) {
    const last = splitGroups(tail);
    while (groups.length + last.length < 8) groups.push("0");
    groups.push(...last);
  }
  const mapped = /^0:0:0:0:0:ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(groups.join(":"));
  if (mapped !== null) return ipv4(Number(`0x${mapped[1]}`), Number(`0x${mapped[2]}`));
  return `${groups.slice(0, 4).join(":")}::/64`;
}

function splitGroups(text: string): string[] {
  return text === "" ? [] : text.split(":");
}

function ipv4(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
