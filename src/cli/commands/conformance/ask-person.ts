/** Asks the person at the terminal to grant access in a browser, and waits for the redirect. */
import { once } from "node:events";
import { createServer } from "node:http";
import { NotTestableError } from "../../../../conformance/case.ts";
import { isLoopback } from "../../../contract/loopback.ts";

// The person has time to find a password and to read the consent page.
const TIMEOUT_MS = 10 * 60_000;
const DONE = "Thank you. You can close this tab; the terminal shows the result.\n";

/** Whether a browser on this machine would send the redirect to this process. */
export function isOnThisMachine(redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const { protocol, hostname, port } = new URL(redirectUri);
  return protocol === "http:" && port !== "" && isLoopback(hostname);
}

/** Returns the address that the browser was redirected to. */
export async function askPerson(
  address: string,
  redirectUri: string,
  print: (...lines: readonly string[]) => void,
): Promise<string> {
  const { hostname, port, pathname } = new URL(redirectUri);
  const arrived = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    const target = request.url ?? "/";
    // A browser also requests an icon.
    if (target.split("?")[0] !== pathname) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" });
    response.end(DONE);
    arrived.resolve(new URL(target, redirectUri).href);
  });
  try {
    // A browser knows the names below localhost, and the system may not.
    const host = hostname.endsWith(".localhost") ? "localhost" : hostname.replace(/^\[|\]$/g, "");
    server.listen(Number(port), host);
    await once(server, "listening");
  } catch (error) {
    throw new NotTestableError(
      `Cannot listen at ${redirectUri} (${(error as NodeJS.ErrnoException).code}): stop the program that uses port ${port}, and run the command again`,
    );
  }
  const timer = setTimeout(() => {
    arrived.reject(new NotTestableError("Access was not granted within 10 minutes"));
  }, TIMEOUT_MS);
  try {
    print(`Open this address in your browser and grant access:`, `  ${address}`);
    return await arrived.promise;
  } finally {
    clearTimeout(timer);
    server.close();
    server.closeAllConnections();
  }
}
