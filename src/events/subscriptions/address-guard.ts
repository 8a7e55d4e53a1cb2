/**
 * Which addresses may be connected to: public ones. Hosts that the operator names may also lie in
 * the operator's own networks; nobody else can name one.
 */
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

/** Kinds that a network of one's own has; what is link-local tells cloud secrets and stays shut. */
const OWN_NETWORKS: ReadonlySet<AddressKind> = new Set(["private", "shared", "loopback"]);

/** `allowedPrivateHosts`: exact names or addresses, as they stand in the subscription's address. */
export function createAddressGuard(allowedPrivateHosts: readonly string[] = []): AddressGuard {
  const allowed = new Set(allowedPrivateHosts.map((host) => host.toLowerCase()));
  return (host, address) => {
    const bytes = parseIpAddress(address);
    if (bytes === null) return false;
    const kind = classifyAddress(bytes);
    return kind === "public" || (OWN_NETWORKS.has(kind) && allowed.has(host));
  };
}

export const resolveWithSystem: ResolveHost = (host, callback) =>
  lookup(host, { all: true }, callback);

/**
 * The lookup of one connection: the socket tries the addresses that come out of it and no others, so
 * a name that answers differently at the next question gains nothing.
 */
export function createGuardedLookup(guard: AddressGuard, resolve: ResolveHost): LookupFunction {
  return (host, options, callback) =>
    resolve(host, (error, found) => {
      if (error !== null) return callback(error, "", 0);
      const open = found.filter(({ address }) => guard(host, address));
      const [first] = open;
      if (first === undefined) return callback(new RefusedAddressError(), "", 0);
      if (options.all === true) return callback(null, open);
      return callback(null, first.address, first.family);
    });
}
