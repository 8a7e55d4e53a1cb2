/** Why a public address does not respond: its name, its listener, its certificate or the time it takes. */
import { warning, type Finding } from "./finding.ts";

export function explainUnreachable(
  subject: string,
  url: string,
  error: unknown,
  correction = `correct ${subject}`,
): Finding {
  const { host, hostname } = new URL(url);
  const code = findCode(error);
  const tell = (message: string, remedy: string) => warning(subject, message, remedy);
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return tell(
        `the host ${hostname} is not known on this machine (${code})`,
        hostname.endsWith(".localhost")
          ? `browsers know this name; for other programs add "127.0.0.1 ${hostname}" to /etc/hosts`
          : `create its DNS record, or ${correction}`,
      );
    case "ECONNREFUSED":
      return tell(
        `nothing listens at ${host}`,
        "start the service, and the proxy in front of it if there is one",
      );
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return tell(
        `the certificate of ${host} is not valid at this time (${code})`,
        "renew it at the proxy, and check the clock of this machine",
      );
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return tell(
        `the certificate of ${host} is for other names`,
        `let the proxy get one for ${hostname}, or ${correction}`,
      );
    case "TimeoutError":
      return tell(`${url} does not respond in time`, "check the firewall, the proxy and the load");
  }
  if (code !== null && UNTRUSTED.test(code)) {
    return tell(
      `the certificate of ${host} is not trusted on this machine (${code})`,
      "let the proxy send the whole chain; for an authority of your own set NODE_EXTRA_CA_CERTS to its certificate",
    );
  }
  return tell(
    `${url} cannot be reached from this machine${code === null ? "" : ` (${code})`}`,
    "start the service; then check DNS, certificate and proxy",
  );
}

/** The codes of OpenSSL for chains that do not end at an authority which is known. */
const UNTRUSTED = /^(?:UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|CERT_)/;

/** The code of the innermost error: `fetch` wraps the error, and may have tried several addresses. */
function findCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error.name === "TimeoutError") return error.name;
  const { code } = error as NodeJS.ErrnoException;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return findCode(inner) ?? (typeof code === "string" ? code : null);
}
