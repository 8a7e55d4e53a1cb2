/** The configuration of the demo: addresses on loopback, everything else by default. */
import type { Language } from "../../src/contract/language.ts";

/** No service has one of these by default, so a server of one's own can run beside the demo. */
export const DEMO_PORTS = {
  page: 4800,
  release: 4851,
  smartDownload: 4852,
  website: 4853,
  mirror: 4854,
  docs: 4855,
  sync: 4856,
  events: 4857,
  phone: 4858,
  laptop: 4859,
} as const;

export type DemoPorts = Readonly<Record<keyof typeof DEMO_PORTS, number>>;

/** The devices on the page of the demo, each an origin with a storage of its own. */
export const DEVICES = ["phone", "laptop"] as const;
export type DeviceName = (typeof DEVICES)[number];

/** The account of the demo, in both services that have accounts. */
export const DEMO_ACCOUNT = { username: "demo", password: "demo-password" };

/** The challenge of an unknown verifier: the pages work, but no code can be redeemed. */
export const DEMO_CODE_CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
export const DEMO_STATE = "a-state-of-the-demo-app";

/** Where an app on the person's machine would listen for the redirect. */
const APP_CALLBACK = "http://localhost:43823/callback";
export const DEMO_CLIENT_ID = "trellis-demo";

export const localOrigin = (port: number) => `http://localhost:${port}`;

/** Of a demo for scripts, which may ask more often than a person. */
const SCRIPTED = { authorizePerMinute: 10_000, tokenPerMinute: 10_000, eventsPerMinute: 10_000 };

/** A demo that `isHeadless` has no devices. */
export function createDemoSettings(
  ports: DemoPorts,
  isHeadless: boolean,
  language: Language,
): object {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const devices = isHeadless ? [] : DEVICES.map((name) => localOrigin(ports[name]));
  const at = (port: number) => ({ listen: { port }, baseUrl: localOrigin(port) });
  return {
    release: {
      ...at(ports.release),
      environment: "demo",
      smartDownload: {
        listen: { port: ports.smartDownload },
        url: localOrigin(ports.smartDownload),
      },
      websiteDownloadUrl: `${localOrigin(ports.website)}/#download`,
    },
    sync: {
      ...at(ports.sync),
      displayName: { en: "Demo sync", de: "Demo-Sync" }[language],
      // The devices encrypt what they send, and the page shows what the server has of it.
      ...(!isHeadless && { profile: "sealed" }),
      redirectUris: [APP_CALLBACK, ...devices.map((origin) => `${origin}/callback`)],
      corsOrigins: devices,
    },
    events: {
      ...at(ports.events),
      serviceName: { en: "Demo planner", de: "Demo-Planer" }[language],
      timeZone,
      ...(isHeadless && { limits: SCRIPTED }),
      clients: [
        {
          id: DEMO_CLIENT_ID,
          name: "Trellis demo app",
          redirectUris: [
            "trellis-demo://auth/callback",
            APP_CALLBACK,
            ...devices.map((origin) => `${origin}/connected`),
          ],
        },
      ],
    },
  };
}
