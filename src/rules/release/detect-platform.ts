/** Which platform a User-Agent speaks for. A wrong file is worse than the website, so doubt is none. */
import type { DistributionPlatform } from "../../contract/release/values.ts";

export const MAX_USER_AGENT_LENGTH = 512;

// Link previews and crawlers ask for the page, not for a program. (Cubot makes phones.)
const ROBOT =
  /(?<!cu)bot\b|crawl|spider|slurp|preview|facebookexternalhit|facebot|embedly|whatsapp|skypeuri|mediapartners|lighthouse|headlesschrome|google-inspectiontool|feedfetcher|pingdom|uptime|monitor/i;
// Programs that name themselves first; one that starts in the browser way is judged by its system.
const LIBRARY =
  /^(?:curl|wget|okhttp|python-|python\/|go-http-client|axios|node|undici|deno|bun\/|java\/|apache-httpclient|libwww|httpie|powershell|ruby|php|guzzlehttp|postmanruntime|insomnia|dart|reqwest|aria2)/i;
const APPLE_LIBRARY = /CFNetwork/;
const OTHER_WINDOWS = /Windows Phone|IEMobile|Xbox/i;
// These say "Mac OS X" although they cannot run a Mac program.
const IOS = /iPhone|iPad|iPod|CriOS|FxiOS|EdgiOS|OPiOS/;
const OTHER_DEVICE =
  /CrOS|Tizen|Web0S|SMART-TV|SmartTV|AppleTV|GoogleTV|HbbTV|NetCast|KAIOS|OpenHarmony|OculusBrowser|PlayStation|Nintendo/i;
const BSD = /(?:Free|Open|Net)BSD|DragonFly/i;
const LINUX_DESKTOP =
  /X11|Wayland|Ubuntu|Debian|Fedora|openSUSE|SUSE|Arch Linux|Manjaro|Linux Mint|Mint|Gentoo|Red Hat|CentOS|elementary|Pop!_OS|NixOS/i;

/** Ordered: each test may rely on those before it having failed. */
const CHECKS: readonly [test: (agent: string) => boolean, platform: DistributionPlatform | null][] =
  [
    [(agent) => agent === "" || agent.length > MAX_USER_AGENT_LENGTH, null],
    [(agent) => ROBOT.test(agent), null],
    [(agent) => LIBRARY.test(agent) || APPLE_LIBRARY.test(agent), null],
    [(agent) => OTHER_WINDOWS.test(agent), null],
    [(agent) => IOS.test(agent), null],
    [(agent) => OTHER_DEVICE.test(agent), null],
    // Every Android browser also says Linux.
    [(agent) => /Android/.test(agent), "android"],
    [(agent) => /Windows NT/.test(agent), "windows"],
    [(agent) => /Macintosh/.test(agent), "macos"],
    [(agent) => BSD.test(agent), null],
    [(agent) => /Linux/.test(agent) && LINUX_DESKTOP.test(agent), "linux"],
  ];

export function detectPlatform(userAgent: string): DistributionPlatform | null {
  const agent = userAgent.trim();
  return CHECKS.find(([test]) => test(agent))?.[1] ?? null;
}
