/** Version and build of the program, as stores and backups record them. */
import { readBuild } from "./product-build.ts";
import { PRODUCT_VERSION } from "./product-version.ts";

const UNKNOWN = "unknown";

/** `0.3.0+1a2b3c4d`: SemVer has a place for the build. */
export function productStamp(): string {
  return `${PRODUCT_VERSION}+${readBuild() ?? UNKNOWN}`;
}

/** For people: `0.3.0 (build 1a2b3c4d)`, this program if no stamp is given. Versions before 0.3.0 recorded no build. */
export function describeVersion(stamp = productStamp()): string {
  const [version = "", build] = stamp.split("+");
  if (build === undefined) return `${version} (its build was not recorded)`;
  if (build === UNKNOWN) return `${version} (build unknown: neither a package nor a git checkout)`;
  return `${version} (build ${build})`;
}
