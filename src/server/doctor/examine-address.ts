/** Whether a public address answers as the service would, and whether our clocks agree. */
import { fault, ok, warning, type Finding } from "./finding.ts";

const TIMEOUT_MS = 5000;
const MAX_CLOCK_SKEW_MS = 60_000;

export async function examineAddress(
  subject: string,
  url: string,
  expectedStatus: number,
  now: number,
): Promise<Finding> {
  let response: Response;
  try {
    response = await fetch(url, {
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
  } catch {
    return warning(
      subject,
      `${url} does not answer from here`,
      "start the service; then check DNS, certificate and proxy",
    );
  }
  if (response.status !== expectedStatus) {
    return fault(
      subject,
      `${url} answered ${response.status}, not ${expectedStatus}`,
      "check that the proxy passes this address to Trellis, path and all",
    );
  }
  const skew = Math.abs(Date.parse(response.headers.get("date") ?? "") - now);
  if (skew > MAX_CLOCK_SKEW_MS) {
    return warning(subject, `its clock differs by ${Math.round(skew / 1000)} s`, "set both clocks");
  }
  return ok(subject, `${url} answers`);
}
