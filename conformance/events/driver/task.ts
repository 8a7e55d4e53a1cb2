/** What the driver of an events client reads, and what it prints. The guide shows these tables. */
import Type, { type Static } from "typebox";
import { createChecker } from "../../../src/contract/check.ts";
import { choice, CONNECT_TO } from "../../drivers/task-members.ts";

const SourceEvent = Type.Object({ eventId: Type.String(), occursOn: Type.String() });

/** One task for a driver of an events client, as the kit passes it. */
export const EventsTask = Type.Object({
  do: choice(
    ["sync", "begin-login", "complete-login"],
    "`sync`: read the events and import them. `begin-login`: make the address for the browser. `complete-login`: take what the browser brings, and redeem the code",
  ),
  address: Type.String({ description: "the service, as a person typed it; judge it first" }),
  connectTo: CONNECT_TO,
  serviceName: Type.String({ description: "what the service is called" }),
  clientId: Type.String({ description: "the app at the service" }),
  redirectUri: Type.String({ description: "where the browser returns to" }),
  callbackUrl: Type.Optional(
    Type.String({ description: "`complete-login`: the address that the browser returned to" }),
  ),
  accessToken: Type.Optional(Type.String({ description: "`sync`: the token" })),
  habits: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        archived: Type.Boolean(),
        source: Type.Union([SourceEvent, Type.Null()]),
      }),
      {
        description:
          "`sync`: the app's habits: `name`, `archived`, and `source`, which is null or has `eventId` and `occursOn`",
      },
    ),
  ),
  state: Type.Unknown({
    description: "the `state` of the app's last result; null after each new login",
  }),
});

export const EVENT_ICONS = ["homework", "exam", "presentation", "task"] as const;

const Imported = Type.Object({
  name: Type.String(),
  icon: choice(EVENT_ICONS, ""),
  category: Type.String(),
  eventId: Type.String(),
  occursOn: Type.String(),
});

export const EventsTaskResult = Type.Object({
  kind: choice(
    [
      "synced",
      "reconnect-needed",
      "failed",
      "address-refused",
      "begun",
      "connected",
      "not-connected",
    ],
    "`synced`, `reconnect-needed` or `failed`; `begun`; `connected` or `not-connected`; `address-refused` for any task",
  ),
  imported: Type.Optional(
    Type.Array(Imported, {
      description:
        "the new habits: `name`, `icon` (`homework`, `exam`, `presentation` or `task`), `category`, `eventId`, `occursOn` (`YYYY-MM-DD`)",
    }),
  ),
  mayHaveMore: Type.Optional(
    Type.Boolean({ description: "whether the service may have more events than it sent" }),
  ),
  message: Type.Optional(Type.String({ description: "what the person is told of that" })),
  authorizeUrl: Type.Optional(Type.String({ description: "`begun`: the address for the browser" })),
  state: Type.Optional(
    Type.Unknown({
      description:
        "what the app stores beside the token; of `begin-login`, what `complete-login` needs",
    }),
  ),
});

export type EventsTask = Static<typeof EventsTask>;
export type EventsTaskResult = Static<typeof EventsTaskResult>;
export type ImportedEvent = Static<typeof Imported>;
export const EVENTS_TASK_RESULT = createChecker(EventsTaskResult);
