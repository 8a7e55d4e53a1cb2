/** Classifies IP addresses by the IANA special-purpose registries (RFC 6890). */
import { parseIpAddress, type IpAddress } from "./ip-address.ts";

export type AddressKind =
  | "public"
  | "unspecified"
  | "loopback"
  /** RFC 1918, and unique local IPv6 (RFC 4193). */
  | "private"
  /** Carrier-grade NAT (RFC 6598), also used by overlay networks. */
  | "shared"
  | "link-local"
  | "multicast"
  | "documentation"
  | "benchmarking"
  /** A cloud's metadata service outside of the kinds above. */
  | "metadata"
  /** 6to4, Teredo: reaches an IPv4 address that is not known here. */
  | "tunnel"
  | "reserved";

type Block = readonly [prefix: string, bits: number, kind: AddressKind];

const IPV4_BLOCKS: readonly Block[] = [
  ["0.0.0.0", 8, "unspecified"],
  ["10.0.0.0", 8, "private"],
  ["100.64.0.0", 10, "shared"],
  ["127.0.0.0", 8, "loopback"],
  // Azure's metadata service.
  ["168.63.129.16", 32, "metadata"],
  ["169.254.0.0", 16, "link-local"],
  ["172.16.0.0", 12, "private"],
  ["192.0.0.0", 24, "reserved"],
  ["192.0.2.0", 24, "documentation"],
  ["192.88.99.0", 24, "tunnel"],
  ["192.168.0.0", 16, "private"],
  ["198.18.0.0", 15, "benchmarking"],
  ["198.51.100.0", 24, "documentation"],
  ["203.0.113.0", 24, "documentation"],
  ["224.0.0.0", 4, "multicast"],
  ["240.0.0.0", 4, "reserved"],
];

const IPV6_BLOCKS: readonly Block[] = [
  ["::", 128, "unspecified"],
  ["::1", 128, "loopback"],
  // Teredo, ORCHID and other protocol assignments.
  ["2001::", 32, "tunnel"],
  ["2001:2::", 48, "benchmarking"],
  ["2001::", 23, "reserved"],
  ["2001:db8::", 32, "documentation"],
  ["2002::", 16, "tunnel"],
  ["3fff::", 20, "documentation"],
  ["2000::", 3, "public"],
  ["fc00::", 7, "private"],
  ["fe80::", 10, "link-local"],
  // Site-local, withdrawn (RFC 3879) and still routed in places.
  ["fec0::", 10, "private"],
  ["ff00::", 8, "multicast"],
];

/** Blocks whose last 32 bits are the IPv4 address. */
const IPV4_MAPPED: readonly [string, number] = ["::ffff:0:0", 96];
const NAT64: readonly [string, number] = ["64:ff9b::", 96];

/** The first block that contains the address decides. Unlisted IPv6 addresses are reserved, never public. */
export function classifyAddress(address: IpAddress): AddressKind {
  if (address.length === 4) return findKind(IPV4_BLOCKS, address) ?? "public";
  if (isIpv4Mapped(address) || isInside(address, NAT64)) return classifyAddress(address.slice(12));
  return findKind(IPV6_BLOCKS, address) ?? "reserved";
}

/** RFC 4291 2.5.5.2. */
export function isIpv4Mapped(address: IpAddress): boolean {
  return address.length === 16 && isInside(address, IPV4_MAPPED);
}

function findKind(blocks: readonly Block[], address: IpAddress): AddressKind | undefined {
  return blocks.find(([prefix, bits]) => isInside(address, [prefix, bits]))?.[2];
}

function isInside(address: IpAddress, [prefix, bits]: readonly [string, number]): boolean {
  const start = parseIpAddress(prefix) ?? [];
  return address.every((byte, index) => {
    const wanted = Math.max(0, Math.min(8, bits - index * 8));
    return byte >> (8 - wanted) === (start[index] ?? 0) >> (8 - wanted);
  });
}
