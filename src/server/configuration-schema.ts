/** The configuration file: its keys, their defaults, and what each is for. */
import Type, { type Static } from "typebox";
import { DEFAULT_EVENTS_RATE_LIMITS, type EventsRateLimits } from "../contract/events/values.ts";
import { SYNC_PROFILES } from "../contract/sync/operation-limits.ts";
import { DEFAULT_SYNC_LIMITS, SYNC_LIMIT_RANGES } from "../contract/sync/values.ts";

const closed = { additionalProperties: false } as const;
const withDefault = <T>(value: T) => ({ default: value });

const seconds = (value: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 3600, default: value, description }));

function listen(port: number) {
  return Type.Optional(
    Type.Object(
      {
        host: Type.Optional(Type.String({ minLength: 1, ...withDefault("127.0.0.1") })),
        port: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 65_535,
            ...withDefault(port),
            description: "0 takes any free port",
          }),
        ),
      },
      { ...closed, ...withDefault({}), description: "Where the listener binds" },
    ),
  );
}

/** Marks a value that stays out of every output and may be given as a file. */
const SECRET = { "x-secret": true } as const;

const store = (address: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      ...SECRET,
      ...withDefault(address),
      description: "sqlite:PATH or a postgres:// address",
    }),
  );

const instanceKeyFile = () =>
  Type.Optional(
    Type.String({
      minLength: 1,
      ...withDefault("./data/instance.key"),
      description: "32 secret bytes, made on first use; never inside the database it protects",
    }),
  );

const HttpLimits = Type.Object(
  {
    maxHeaderBytes: Type.Optional(
      Type.Integer({ minimum: 8192, maximum: 1_048_576, ...withDefault(16_384) }),
    ),
    headerTimeoutSeconds: seconds(15, "How long a client may take to send its headers"),
    requestTimeoutSeconds: seconds(30, "How long a client may take to send its whole request"),
    keepAliveSeconds: seconds(
      65,
      "Longer than the idle time of common proxies, so that they close first",
    ),
    maxConnections: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, ...withDefault(1024) }),
    ),
    stopSeconds: seconds(10, "How long running requests may finish after a stop signal"),
  },
  { ...closed, ...withDefault({}), description: "Limits of every listener" },
);

const ReleaseSection = Type.Object(
  {
    listen: listen(4801),
    baseUrl: Type.Optional(
      Type.String({
        ...withDefault("http://localhost:4801"),
        description: "Public address of the API; https, or http on loopback",
      }),
    ),
    smartDownload: Type.Optional(
      Type.Object(
        {
          listen: listen(4802),
          url: Type.Optional(
            Type.String({
              ...withDefault("http://localhost:4802"),
              description: "Public address of the smart-download origin",
            }),
          ),
        },
        { ...closed, ...withDefault({}) },
      ),
    ),
    websiteDownloadUrl: Type.Optional(
      Type.String({
        ...withDefault("http://localhost:4803/#download"),
        description: "Where the selector sends a visitor whose platform is unknown",
      }),
    ),
    environment: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        ...withDefault("development"),
        description: "Shown by /health",
      }),
    ),
    catalog: Type.Optional(
      Type.String({ minLength: 1, ...withDefault("./catalog"), description: "Catalogue folder" }),
    ),
    rateLimit: Type.Optional(
      Type.Object(
        {
          requests: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
          windowSeconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
        },
        { ...closed, description: "Per client address; absent: no limit, a CDN stands in front" },
      ),
    ),
    keyPassphrase: Type.Optional(
      Type.String({
        minLength: 1,
        ...SECRET,
        description: "Opens an encrypted signing key when nobody is there to type it",
      }),
    ),
  },
  { ...closed, description: "The release service" },
);

const limit = (name: keyof typeof SYNC_LIMIT_RANGES, description: string) =>
  Type.Optional(
    Type.Integer({
      ...SYNC_LIMIT_RANGES[name],
      ...withDefault(DEFAULT_SYNC_LIMITS[name]),
      description,
    }),
  );

const RedirectUri = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Object(
    {
      uri: Type.String({ minLength: 1 }),
      delivery: Type.Enum(["query", "fragment"], { type: "string" }),
    },
    closed,
  ),
]);

const SyncSection = Type.Object(
  {
    listen: listen(4811),
    baseUrl: Type.Optional(
      Type.String({
        ...withDefault("http://localhost:4811"),
        description: "Public address; https, or http on loopback",
      }),
    ),
    displayName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        ...withDefault("My sync"),
        description: "What the sign-in page calls this instance",
      }),
    ),
    redirectUris: Type.Optional(
      Type.Array(RedirectUri, {
        minItems: 1,
        ...withDefault(["http://localhost:43823/callback"]),
        description: "Where a sign-in may end; matched as whole texts",
      }),
    ),
    allowedSchemes: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        ...withDefault([]),
        description: "Private-use schemes without a dot that are meant",
      }),
    ),
    corsOrigins: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        ...withDefault([]),
        description: "Exact origins of pages that may use the service",
      }),
    ),
    headerPrefix: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9-]{1,64}$",
        ...withDefault("Service"),
        description: "letters, digits and hyphens: Service makes X-Service-CSRF",
      }),
    ),
    limits: Type.Optional(
      Type.Object(
        {
          maxBodyBytes: limit("maxBodyBytes", "Largest request body"),
          maxPushOperations: limit("maxPushOperations", "Operations in a push"),
          maxPullOperations: limit("maxPullOperations", "Operations on a page"),
        },
        { ...closed, ...withDefault({}) },
      ),
    ),
    profile: Type.Optional(
      Type.Enum([...SYNC_PROFILES], {
        type: "string",
        ...withDefault("habits"),
        description: "Which entities are known; open takes any",
      }),
    ),
    store: store("sqlite:./data/sync.db"),
    instanceKeyFile: instanceKeyFile(),
  },
  { ...closed, description: "The personal sync service" },
);

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

const EventsSection = Type.Object(
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

export const ConfigurationFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    dataDir: Type.Optional(
      Type.String({
        minLength: 1,
        ...withDefault("./data"),
        description: "Private files: keys and databases",
      }),
    ),
    trustedProxies: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        ...withDefault([]),
        description: "Addresses or CIDR ranges whose X-Forwarded-For is believed",
      }),
    ),
    http: Type.Optional(HttpLimits),
    release: Type.Optional(ReleaseSection),
    sync: Type.Optional(SyncSection),
    events: Type.Optional(EventsSection),
  },
  closed,
);

/** Every default filled in. */
export type Filled<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]-?: Filled<Exclude<T[K], undefined>> }
    : T;

export type HttpLimits = Filled<Static<typeof HttpLimits>>;
type ReleaseFile = Static<typeof ReleaseSection>;
export type ReleaseConfiguration = Filled<Omit<ReleaseFile, "rateLimit" | "keyPassphrase">> &
  Pick<ReleaseFile, "rateLimit" | "keyPassphrase">;
export type SyncConfiguration = Filled<Static<typeof SyncSection>>;
export type EventsConfiguration = Filled<Static<typeof EventsSection>>;
