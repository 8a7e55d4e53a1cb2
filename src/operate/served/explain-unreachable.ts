/** Why an address does not respond: its name, its listener, its certificate or the time it takes. */
/** A problem in words that follow the address in a sentence. */
export interface ServedError {
  readonly problem: string;
  readonly remedy: string;
}

export function explainUnreachable(
  { host, hostname }: URL,
  error: unknown,
  correction = "correct the address",
): ServedError {
  const code = findCode(error);
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return {
        problem: `has a host name that is not known on this machine (${code})`,
        remedy: hostname.endsWith(".localhost")
          ? `browsers know this name; for other programs add "127.0.0.1 ${hostname}" to /etc/hosts`
          : `create its DNS record, or ${correction}`,
      };
    case "ECONNREFUSED":
      return {
        problem: `does not respond: nothing listens at ${host}`,
        remedy: "start the server, and the proxy in front of it if there is one",
      };
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return {
        problem: `has a certificate that is not valid at this time (${code})`,
        remedy: "renew it at the server or proxy, and check the clock of this machine",
      };
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return {
        problem: "has a certificate that is for other names",
        remedy: `let the server or proxy get one for ${hostname}, or ${correction}`,
      };
    case "TimeoutError":
      return {
        problem: "does not respond in time",
        remedy: "check the firewall, the proxy and the load",
      };
  }
  if (code !== null && UNTRUSTED.test(code)) {
    return {
      problem: `has a certificate that is not trusted on this machine (${code})`,
      remedy:
        "let the server send the whole chain; for an authority of your own set NODE_EXTRA_CA_CERTS to its certificate",
    };
  }
  return {
    problem: `cannot be reached from this machine${code === null ? "" : ` (${code})`}`,
    remedy: "start the server; then check DNS, certificate and proxy",
  };
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
