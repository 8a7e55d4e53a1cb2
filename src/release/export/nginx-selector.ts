/** The smart-download selector for nginx: the same checks of the User-Agent, as a `map`. */
import { DEFAULT_ARCHITECTURES, DISTRIBUTION_PLATFORMS } from "../../contract/release/values.ts";
import { AGENT_CHECKS, type AgentCheck } from "../../rules/release/detect-platform.ts";
import {
  mapBlock,
  quote,
  quotePattern,
  quoteTemplate,
  type NamedResponses,
} from "./nginx-syntax.ts";
import { ESCAPED_CHARACTER, queryPatterns, spelledAnyWay } from "./patterns.ts";
import type { ExportAddresses } from "./record-responses.ts";

/** Characters that `encodeURIComponent` does not escape. */
const UNRESERVED = "[A-Za-z0-9_.!~*'()-]";

export function selectorResponses(responses: NamedResponses): NamedResponses {
  const names = new Set(["selected", "invalid_channel", "not_found", "preflight"]);
  return Object.fromEntries(Object.entries(responses).filter(([name]) => names.has(name)));
}

export function selectorMaps({ baseUrl, websiteDownloadUrl }: ExportAddresses): string[] {
  const target = `${quote(baseUrl).slice(0, -1)}/api/v1/download/$trellis_selected/$trellis_arch$trellis_kept_channel"`;
  return [
    mapBlock(
      "$http_user_agent",
      "trellis_agent",
      AGENT_CHECKS.map((check) => [agentPattern(check), check.platform ?? '""'] as const),
    ),
    ...queryRows(),
    mapBlock("$trellis_asked", "trellis_selected", [
      ['""', "$trellis_agent"],
      ["default", "$trellis_asked"],
    ]),
    mapBlock("$trellis_selected", "trellis_default_arch", Object.entries(DEFAULT_ARCHITECTURES)),
    mapBlock("$trellis_asked_arch", "trellis_arch", [
      ['""', "$trellis_default_arch"],
      ["default", "$trellis_asked_arch"],
    ]),
    mapBlock("$trellis_channel", "trellis_kept_channel", [["beta", quote("?channel=beta")]]),
    mapBlock('"$trellis_selected|$trellis_asked_arch"', "trellis_selection", [
      [quotePattern("^\\||\\|\\?$"), quote(websiteDownloadUrl)],
      ["default", target],
    ]),
    mapBlock('"$trellis_length $trellis_method $trellis_raw $trellis_channel"', "trellis_smart", [
      [quotePattern("^fine read / invalid$"), "invalid_channel"],
      [quotePattern("^fine read / "), "selected"],
      [quotePattern("^fine options / "), "preflight"],
      ["default", "not_found"],
    ]),
  ];
}

/** All patterns must match, each with its own case sensitivity. */
function agentPattern({ patterns }: AgentCheck): string {
  const all = patterns.map(({ source, flags }) => {
    const cased = flags.includes("i") ? `(?i:${source})` : `(?:${source})`;
    return patterns.length === 1 ? cased : `(?=.*${cased})`;
  });
  return quotePattern(patterns.length === 1 ? all.join("") : `^${all.join("")}`);
}

function queryRows(): string[] {
  const platform = queryPatterns("platform");
  const arch = queryPatterns("arch");
  const escaped = `(?:${ESCAPED_CHARACTER})`;
  return [
    mapBlock("$args", "trellis_asked", [
      [quotePattern(platform.repeated), '""'],
      ...DISTRIBUTION_PLATFORMS.map(
        (name) => [quotePattern(platform.valued(spelledAnyWay(name))), name] as const,
      ),
    ]),
    mapBlock("$args", "trellis_asked_arch", [
      [quotePattern(arch.repeated), '""'],
      [quotePattern(arch.valued("(?:\\.|%2[Ee]){1,2}")), '""'],
      [
        quotePattern(arch.valued(`(?<trellis_arch_value>(?:${UNRESERVED}|${escaped})+)`)),
        "$trellis_arch_value",
      ],
      // nginx cannot encode it again, so such a visitor is sent to the website.
      [quotePattern(arch.valued(`(?:[^&%]|${escaped})+`)), quoteTemplate("?")],
    ]),
  ];
}
