/** Nothing follows the headers of an answer to HEAD, whichever the service. */
import { expectEach, violate } from "../expect.ts";
import type { Origin } from "../http.ts";

const HEADERS_END = "\r\n\r\n";

export async function expectHeadHasNoBody(api: Origin, paths: readonly string[]): Promise<void> {
  const host = new URL(api.url).host;
  await expectEach(paths, async (path) => {
    const asked = `HEAD ${path}`;
    // An HTTP client would not show the body of such an answer, so the bytes are read themselves.
    const bytes = await api.exchange(
      `HEAD ${api.targetOf(path)} HTTP/1.1\r\nHost: ${host}\r\nConnection: close${HEADERS_END}`,
    );
    const text = Buffer.from(bytes).toString("latin1");
    const end = text.indexOf(HEADERS_END);
    if (!text.startsWith("HTTP/1.1 ") || end < 0) violate(asked, "an HTTP answer", text);
    const rest = text.length - end - HEADERS_END.length;
    if (rest > 0) violate(asked, "no body", `${rest} bytes after the headers`);
  });
}
