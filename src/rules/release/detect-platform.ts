/** The platform of a User-Agent. In doubt there is none: the website is better than a wrong file. */
import type { DistributionPlatform } from "../../contract/release/values.ts";

export const MAX_USER_AGENT_LENGTH = 512;

// Link previews and crawlers want the page, not a program. (Cubot makes phones.)
const ROBOT =
  /(?<!cu)bot\b|crawl|spider|slurp|preview|facebookexternalhit|facebot|embedly|whatsapp|skypeuri|mediapartners|lighthouse|headlesschrome|google-inspectiontool|feedfetcher|pingdom|uptime|monitor/i;
// Programs that name themselves first; an agent that starts like a browser is detected by its system.
const LIBRARY =
  /^(?:curl|wget|okhttp|python-|python\/|go-http-client|axios|node|undici|deno|bun\/|java\/|apache-httpclient|libwww|httpie|powershell|ruby|php|guzzlehttp|postmanruntime|insomnia|dart|reqwest|aria2)/i;
const APPLE_LIBRARY = /CFNetwork/;
const OTHER_WINDOWS = /Windows Phone|IEMobile|Xbox/i;
// The agents of these systems contain "Mac OS X" although they cannot run a Mac program.
const IOS = /iPhone|iPad|iPod|CriOS|FxiOS|EdgiOS|OPiOS/;
// The word boundaries leave "Microsoft" alone, which has "cros" in it.
const OTHER_DEVICE =
  /\bCrOS\b|Tizen|Web0S|SMART-TV|SmartTV|AppleTV|GoogleTV|HbbTV|NetCast|KAIOS|OpenHarmony|OculusBrowser|PlayStation|Nintendo/i;
const BSD = /(?:Free|Open|Net)BSD|DragonFly/i;
const LINUX_DESKTOP =
  /X11|Wayland|Ubuntu|Debian|Fedora|openSUSE|SUSE|Arch Linux|Manjaro|Linux Mint|Mint|Gentoo|Red Hat|CentOS|elementary|Pop!_OS|NixOS/i;

/** The platform of an agent that every pattern matches. */
export interface AgentCheck {
  readonly patterns: readonly RegExp[];
  readonly platform: DistributionPlatform | null;
}

/** The first match decides. The checks are data, so that web server rules can be generated from them. */
export const AGENT_CHECKS: readonly AgentCheck[] = [
  { patterns: [new RegExp(`^$|^.{${MAX_USER_AGENT_LENGTH + 1}}`, "s")], platform: null },
  { patterns: [ROBOT], platform: null },
  { patterns: [LIBRARY], platform: null },
  { patterns: [APPLE_LIBRARY], platform: null },
  { patterns: [OTHER_WINDOWS], platform: null },
  { patterns: [IOS], platform: null },
  { patterns: [OTHER_DEVICE], platform: null },
  // Every Android agent also contains "Linux".
  { patterns: [/Android/], platform: "android" },
  { patterns: [/Windows NT/], platform: "windows" },
  { patterns: [/Macintosh/], platform: "macos" },
  { patterns: [BSD], platform: null },
  { patterns: [/Linux/, LINUX_DESKTOP], platform: "linux" },
];

export function detectPlatform(userAgent: string): DistributionPlatform | null {
  const agent = userAgent.trim();
  const check = AGENT_CHECKS.find(({ patterns }) =>
    patterns.every((pattern) => pattern.test(agent)),
  );
  return check?.platform ?? null;
}
