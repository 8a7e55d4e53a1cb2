import {
  changeResponse,
  isError,
  withHeader,
  withoutHeader,
  withStatus,
  type ServiceBreak,
} from "./break.ts";

/** A random UUID, which is a good request id at every service. */
export const FIXED_ID = "6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

export const BREAKS_OF_EVERY_SERVICE: readonly ServiceBreak[] = [
  {
    name: "gives every request the same id",
    caughtBy: ["request-ids-are-new-for-every-request"],
    respond: changeResponse(
      () => true,
      (response) => withHeader(response, "X-Request-Id", FIXED_ID),
    ),
  },
  {
    name: "forgets HSTS on errors",
    caughtBy: ["https-answers-carry-hsts"],
    respond: changeResponse(isError, (response) =>
      withoutHeader(response, "Strict-Transport-Security"),
    ),
  },
  {
    name: "responds to HEAD with 204",
    caughtBy: ["head-answers-like-get"],
    respond: changeResponse(
      ({ status }, { method }) => method === "HEAD" && status === 200,
      (response) => withStatus(response, 204),
    ),
  },
  {
    name: "sends a body after the headers of HEAD",
    caughtBy: ["head-has-no-body"],
    tamper: (server) => {
      server.prependListener("request", (incoming) => {
        if (incoming.method !== "HEAD") return;
        incoming.socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
      });
    },
  },
  {
    name: "leaves malformed HTTP to Node",
    caughtBy: ["malformed-http-gets-a-declared-error", "what-no-route-can-mean-is-refused"],
    tamper: (server) => void server.removeAllListeners("clientError"),
  },
  {
    name: "stops listening after malformed HTTP",
    caughtBy: ["malformed-http-does-not-stop-the-server"],
    tamper: (server) => {
      server.on("clientError", () => {
        server.close();
        server.closeAllConnections();
      });
    },
  },
];
