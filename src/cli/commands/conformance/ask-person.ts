/** Asks whoever sits at the terminal to allow a request in their browser, and waits for the answer. */
import { once } from "node:events";
import { createServer } from "node:http";
import { NotTestableError } from "../../../conformance/case.ts";

// Time to find a password and to read what is asked.
const PATIENCE_MS = 10 * 60_000;
const DONE = "Thank you. You can close this tab; the terminal tells how it goes on.\n";

/** Whether a browser of this machine comes back to us with it. */
export function isOnThisMachine(redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const { protocol, hostname, port } = new URL(redirectUri);
  return (
    protocol === "http:" && port !== "" && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  );
}

/** Answers the address that the browser was sent to. */
export async function askPerson(
  address: string,
  redirectUri: string,
  tell: (text: string) => void,
): Promise<string> {
  const { hostname, port, pathname } = new URL(redirectUri);
  const arrived = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    const target = request.url ?? "/";
    // A browser also asks for an icon.
    if (target.split("?")[0] !== pathname) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" });
    response.end(DONE);
    arrived.resolve(new URL(target, redirectUri).href);
  });
  try {
    server.listen(Number(port), hostname.replace(/^\[|\]$/g, ""));
    await once(server, "listening");
  } catch (error) {
    throw new NotTestableError(
      `Cannot listen at ${redirectUri} (${(error as NodeJS.ErrnoException).code}): end what uses port ${port}, and run the command again`,
    );
  }
  const timer = setTimeout(() => {
    arrived.reject(new NotTestableError("Nobody allowed it within 10 minutes"));
  }, PATIENCE_MS);
  try {
    tell(`Open this address in your browser, and allow what is asked:\n  ${address}`);
    return await arrived.promise;
  } finally {
    clearTimeout(timer);
    server.close();
    server.closeAllConnections();
  }
}
