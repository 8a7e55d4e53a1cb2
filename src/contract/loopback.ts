/** The names below `localhost` never leave the machine either (RFC 6761 6.3). */
const LOOPBACK = /^([^.]+\.)*localhost$|^\[::1\]$|^127(\.\d+){3}$/;

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
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
