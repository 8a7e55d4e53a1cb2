/** Restricts connections to public addresses, and to private hosts that the operator allows. */
import { lookup, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { classifyAddress, type AddressKind } from "../../rules/events/address/classify-address.ts";
import { parseIpAddress } from "../../rules/events/address/ip-address.ts";

/** Whether this host may be reached at this address. */
export type AddressGuard = (host: string, address: string) => boolean;

export type ResolveHost = (
  host: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export class RefusedAddressError extends Error {
  constructor() {
    super("The address is not public");
    this.name = "RefusedAddressError";
  }
}

/** Link-local addresses are never allowed: cloud metadata services have them. */
const PRIVATE_NETWORKS: ReadonlySet<AddressKind> = new Set(["private", "shared", "loopback"]);

/** `allowedPrivateHosts` are exact host names or addresses, as in the URL of a subscription. */
export function createAddressGuard(allowedPrivateHosts: readonly string[] = []): AddressGuard {
  const allowed = new Set(allowedPrivateHosts.map((host) => host.toLowerCase()));
  return (host, address) => {
    const bytes = parseIpAddress(address);
    if (bytes === null) return false;
    const kind = classifyAddress(bytes);
    return kind === "public" || (PRIVATE_NETWORKS.has(kind) && allowed.has(host));
  };
}

export const resolveWithSystem: ResolveHost = (host, callback) =>
  lookup(host, { all: true }, callback);

/** The socket connects only to the addresses that this returns, which prevents DNS rebinding. */
export function createGuardedLookup(guard: AddressGuard, resolve: ResolveHost): LookupFunction {
  return (host, options, callback) =>
    resolve(host, (error, found) => {
      if (error !== null) return callback(error, "", 0);
      const allowed = found.filter(({ address }) => guard(host, address));
      const [first] = allowed;
      if (first === undefined) return callback(new RefusedAddressError(), "", 0);
      if (options.all === true) return callback(null, allowed);
      return callback(null, first.address, first.family);
    });
}
