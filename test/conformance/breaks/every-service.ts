import {
  changeResponse,
  isError,
  withHeader,
  withoutHeader,
  withStatus,
  type ServiceBreak,
  toBreaks,
} from "./break.ts";

/** A random UUID, which is a good request id at every service. */
export const FIXED_ID = "6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

export const BREAKS_OF_EVERY_SERVICE = toBreaks<ServiceBreak>({
  "request-ids-are-new-for-every-request": {
    "gives every request the same id": changeResponse(
      () => true,
      (response) => withHeader(response, "X-Request-Id", FIXED_ID),
    ),
  },
  "https-answers-carry-hsts": {
    "forgets HSTS on errors": changeResponse(isError, (response) =>
      withoutHeader(response, "Strict-Transport-Security"),
    ),
  },
  "head-answers-like-get": {
    "responds to HEAD with 204": changeResponse(
      ({ status }, { method }) => method === "HEAD" && status === 200,
      (response) => withStatus(response, 204),
    ),
  },
  "head-has-no-body": {
    "sends a body after the headers of HEAD": {
      tamper: (server) => {
        server.prependListener("request", (incoming) => {
          if (incoming.method !== "HEAD") return;
          incoming.socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
        });
      },
    },
  },
  "malformed-http-gets-a-declared-error, what-no-route-can-mean-is-refused": {
    "leaves malformed HTTP to Node": {
      tamper: (server) => void server.removeAllListeners("clientError"),
    },
  },
  "malformed-http-does-not-stop-the-server": {
    "stops listening after malformed HTTP": {
      tamper: (server) => {
        server.on("clientError", () => {
          server.close();
          server.closeAllConnections();
        });
      },
    },
  },
});
