/** The instance key of a service. */
import { readInstanceSecret } from "../../identity/instance-key.ts";
import type { StoreOwner } from "../leased-store.ts";
import { fault, ok, type Finding } from "./finding.ts";

export function examineKey(owner: StoreOwner, path: string): Finding {
  const subject = `${owner} key`;
  try {
    return readInstanceSecret(path) === null
      ? ok(subject, `${path} is made on first use`)
      : ok(subject, `${path} is here and closed to others`);
  } catch (error) {
    return fault(subject, (error as Error).message, "nobody can sign in until then");
  }
}
