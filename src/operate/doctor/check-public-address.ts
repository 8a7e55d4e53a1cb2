/** Whether a public address leads to this server, and whether both clocks agree. */
import { isLoopback } from "../../contract/loopback.ts";
import { CHALLENGE_HEADER, PROOF_HEADER } from "../../contract/server-proof.ts";
import { listInstanceKeys } from "../../identity/instance-key.ts";
import { keyPlaceOf, nameKey, readKeyOf, type KeySection } from "../../identity/key-place.ts";
import type { InstanceKeyRing } from "../../identity/key-ring.ts";
import { isSameSecret } from "../../identity/one-time-secrets.ts";
import { createServerProof } from "../../identity/server-proof.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import { randomBytes } from "../../rules/web-crypto.ts";
import type { StoreOwner } from "../../database/store-kind.ts";
import { explainUnreachable } from "../served/explain-unreachable.ts";
import { errorFinding, ok, warning, type Finding } from "./finding.ts";

export interface CheckedAddress {
  /** The key of the address in the configuration. */
  readonly subject: string;
  readonly baseUrl: string;
  /** How a wrong address is put right; by default the subject is corrected. */
  readonly correction?: string;
  /** The path that is requested, and the status of its response. */
  readonly path: string;
  readonly status: number;
  /** The key of the port in the configuration, and the port. */
  readonly listen: { readonly key: string; readonly port: number };
  /** The instance key that the server proves; absent for the release service, which has none. */
  readonly instance?: KeySection & { readonly realm: StoreOwner };
}

export const TIMEOUT_MS = 5000;
const MAX_CLOCK_SKEW_MS = 60_000;

export async function checkPublicAddress(address: CheckedAddress, now: number): Promise<Finding[]> {
  const finding = await checkResponse(address, now);
  return finding.level === "ok" ? [finding] : [finding, ...checkPort(address)];
}

/** Without a proxy in between, an address of this machine has the port of the listener. */
function checkPort({ subject, baseUrl, listen }: CheckedAddress): Finding[] {
  const { protocol, hostname, port } = new URL(baseUrl);
  const isDirect = protocol === "http:" && isLoopback(hostname);
  if (!isDirect || listen.port === 0 || Number(port || 80) === listen.port) return [];
  return [
    warning(
      subject,
      `its port is ${port || 80}, and ${listen.key} is ${listen.port}`,
      "make both the same, unless a proxy is between them",
    ),
  ];
}

async function checkResponse(address: CheckedAddress, now: number): Promise<Finding> {
  const { subject, baseUrl, path, status } = address;
  const url = `${baseUrl}${path}`;
  const challenge = encodeBase64Url(randomBytes(32));
  let response: Response;
  try {
    response = await fetch(url, {
      redirect: "manual",
      headers: address.instance === undefined ? {} : { [CHALLENGE_HEADER]: challenge },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
  } catch (error) {
    const correction = address.correction ?? `correct ${subject}`;
    const { problem, remedy } = explainUnreachable(new URL(url), error, correction);
    return warning(subject, `${url} ${problem}`, remedy);
  }
  if (response.status !== status) {
    return errorFinding(
      subject,
      `${url} responded with status ${response.status}, expected ${status}`,
      "check that the proxy forwards this address to Trellis with its path unchanged",
    );
  }
  const skew = Math.abs(Date.parse(response.headers.get("date") ?? "") - now);
  if (skew > MAX_CLOCK_SKEW_MS) {
    const seconds = Math.round(skew / 1000);
    return warning(subject, `its clock differs from this one by ${seconds} s`, "set both clocks");
  }
  return checkProof(address, challenge, response.headers.get(PROOF_HEADER));
}

/** No secret leaves: the server shows that it has the key by an HMAC of what was made up for this request. */
async function checkProof(
  { subject, baseUrl, path, instance }: CheckedAddress,
  challenge: string,
  proof: string | null,
): Promise<Finding> {
  const url = `${baseUrl}${path}`;
  if (instance === undefined) return ok(subject, `${url} responds`);
  const { realm } = instance;
  const key = `the ${nameKey(keyPlaceOf(instance))}`;
  const ring = await findKeyRing(instance);
  if (ring === null) {
    return warning(
      subject,
      `${url} responds, but without ${key} it cannot be proved that it is this server`,
      "run `trellis doctor` with the configuration and as the user of the server",
    );
  }
  const found = listInstanceKeys(ring).findIndex((key) => {
    const expected = createServerProof(key, realm, baseUrl)(challenge)[PROOF_HEADER] ?? "";
    return isSameSecret(proof ?? "", expected);
  });
  if (found === 0) return ok(subject, `${url} is this server: it has the same instance key`);
  return found > 0
    ? warning(subject, `${url} is this server, with a key that was replaced`, "restart it")
    : errorFinding(
        subject,
        `${url} is another server: it does not prove that it has ${key} and this address`,
        "check DNS, the proxy and the port; if it is yours, restart it with this configuration",
      );
}

/** A key that cannot be used has a finding of its own. */
function findKeyRing(section: KeySection): Promise<InstanceKeyRing | null> {
  return readKeyOf(section).catch(() => null);
}
