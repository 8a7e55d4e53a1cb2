/** `localhost` and the names below it, which never leave the machine (RFC 6761 6.3). */
const LOCALHOST = /^(?:[^.]+\.)*localhost$/;

export function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || LOCALHOST.test(hostname) || /^127(\.\d+){3}$/.test(hostname);
}

/** Plain http is only safe on this machine. */
export function isHttpsOrLoopback({
  protocol,
  hostname,
}: {
  readonly protocol: string;
  readonly hostname: string;
}): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}
