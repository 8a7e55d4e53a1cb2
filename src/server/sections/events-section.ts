/** The section `events`. */
import Type from "typebox";
import { DEFAULT_EVENTS_RATE_LIMITS, type EventsRateLimits } from "../../contract/events/values.ts";
import { closed, instanceKeyFile, listen, store, withDefault } from "./settings.ts";

const perMinute = (name: keyof EventsRateLimits, description: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      ...withDefault(DEFAULT_EVENTS_RATE_LIMITS[name].requests),
      description,
    }),
  );

const Client = Type.Object(
  {
    id: Type.String({
      pattern: "^[\\x21-\\x7e]{1,128}$",
      description: "1 to 128 visible ASCII characters: what the app sends as client_id",
    }),
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      description: "What people call the app",
    }),
    redirectUris: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: "Where the app may be answered; matched as whole texts",
    }),
  },
  { ...closed, description: "An app that may ask for leave to read events" },
);

export const EventsSection = Type.Object(
  {
    listen: listen(4821),
    baseUrl: Type.Optional(
      Type.String({
        ...withDefault("http://localhost:4821"),
        description: "Public address, without a path; https, or http on loopback",
      }),
    ),
    serviceName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        ...withDefault("My planner"),
        description: "What the pages call this instance",
      }),
    ),
    clients: Type.Optional(
      Type.Array(Client, {
        minItems: 1,
        ...withDefault([
          {
            id: "trellis-demo",
            name: "Trellis demo app",
            redirectUris: ["trellis-demo://auth/callback", "http://localhost:43823/callback"],
          },
        ]),
        description: "The apps that may ask for leave; none has a secret",
      }),
    ),
    timeZone: Type.Optional(
      Type.String({
        minLength: 1,
        ...withDefault("UTC"),
        description: "Of accounts that have chosen none: an IANA name such as Europe/Berlin",
      }),
    ),
    limits: Type.Optional(
      Type.Object(
        {
          authorizePerMinute: perMinute(
            "authorize",
            "Authorization requests, and apart from them begun sign-ins, per client address",
          ),
          tokenPerMinute: perMinute("token", "Token requests, per client address"),
          eventsPerMinute: perMinute("events", "Lists of events, per access token"),
        },
        { ...closed, ...withDefault({}) },
      ),
    ),
    subscriptions: Type.Optional(
      Type.Object(
        {
          allowedPrivateHosts: Type.Optional(
            Type.Array(Type.String({ minLength: 1 }), {
              ...withDefault([]),
              description: "Hosts in networks of your own that calendars may be fetched from",
            }),
          ),
        },
        { ...closed, ...withDefault({}) },
      ),
    ),
    store: store("sqlite:./data/events.db"),
    instanceKeyFile: instanceKeyFile(),
  },
  { ...closed, description: "The events service" },
);
