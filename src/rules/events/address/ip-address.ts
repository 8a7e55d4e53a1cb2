/** The bytes of an address: 4 for IPv4, 16 for IPv6. */
export type IpAddress = readonly number[];

/** Decimal without leading zeros: some readers take `010` for octal. */
const IPV4_PART = /^(?:0|[1-9][0-9]{0,2})$/;
const IPV6_GROUP = /^[0-9a-f]{1,4}$/i;

/** Null for names, legacy spellings of IPv4, and IPv6 with a zone or brackets. */
export function parseIpAddress(text: string): IpAddress | null {
  return text.includes(":") ? parseIpv6(text) : parseIpv4(text);
}

function parseIpv4(text: string): IpAddress | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => IPV4_PART.test(part))) return null;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : null;
}

/** RFC 4291 2.2. */
function parseIpv6(text: string): IpAddress | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [head = "", tail] = halves;
  const front = parseGroups(head, tail === undefined);
  const back = tail === undefined ? [] : parseGroups(tail, true);
  if (front === null || back === null) return null;
  const left = 16 - front.length - back.length;
  // RFC 5952 4.2.2: "::" is at least one group.
  if (tail === undefined ? left !== 0 : left < 2) return null;
  return [...front, ...Array.from({ length: left }, () => 0), ...back];
}

/** Only the last group of an address may be an IPv4 address. */
function parseGroups(text: string, mayEndInIpv4: boolean): number[] | null {
  if (text === "") return [];
  const groups = text.split(":");
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    const isLast = index === groups.length - 1;
    const embedded = isLast && mayEndInIpv4 && group.includes(".") ? parseIpv4(group) : null;
    if (embedded !== null) {
      bytes.push(...embedded);
    } else if (IPV6_GROUP.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 255);
    } else {
      return null;
    }
  }
  return bytes.length <= 16 ? bytes : null;
}
