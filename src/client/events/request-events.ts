/** GET /api/events, once. */
import type { EventsQuestion } from "../../rules/events/client/plan-sync.ts";
import { readEventList, type EventPage } from "../../rules/events/client/read-event-list.ts";
import { requestJson, type EventsClientError } from "./request-json.ts";
import type { EventsSettings } from "./settings.ts";

export interface EventsResponse extends EventPage {
  readonly kind: "page";
  readonly dateHeader: string | null;
}

export async function requestEvents(
  settings: EventsSettings,
  question: EventsQuestion,
  accessToken: string,
  signal: AbortSignal | undefined,
): Promise<EventsResponse | EventsClientError> {
  const query = new URLSearchParams({ limit: String(question.limit) });
  if (question.updatedSince !== null) query.set("updated_since", question.updatedSince);
  if (question.includeDeleted) query.set("include_deleted", "true");
  const answer = await requestJson(settings, {
    url: `${settings.origin}/api/events?${query}`,
    headers: { Authorization: `Bearer ${accessToken}` },
    signal,
  });
  if (answer.kind !== "json") return answer;
  const page = readEventList(answer.value);
  if (page === null) return { kind: "malformed-answer", detail: "not a list of events" };
  return { kind: "page", ...page, dateHeader: answer.headers.get("Date") };
}
