/** Requests of strangers take turns: a flood of them slows itself, and a device waits for one of them at most. */
import { beginInTurn, noteRequest } from "../database/in-turn.ts";
import type { HttpService } from "../http/create-http-service.ts";
import type { RawRequest } from "../http/request.ts";

export function paceStrangers(
  http: HttpService,
  isStranger: (request: RawRequest) => boolean,
): HttpService {
  return {
    ...http,
    respond(request) {
      if (isStranger(request)) return beginInTurn("stranger", () => http.respond(request));
      noteRequest();
      return http.respond(request);
    },
  };
}
