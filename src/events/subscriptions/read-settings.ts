/** What a person typed about a subscription, checked, and the way back into the form. */
import { formatWordRules, parseWordRules } from "../../rules/events/ingest/check-word-rules.ts";
import { cleanText } from "../../rules/events/ingest/clean-text.ts";
import { MAX_TYPE_CHARACTERS } from "../../rules/events/ingest/limits.ts";
import { DEFAULT_TYPE, DEFAULT_WORD_RULES } from "../../rules/events/ingest/word-rules.ts";
import type { SubscriptionProblem } from "../pages.ts";
import type { Subscription, WordRule } from "../store.ts";
import type { SubscriptionSettings } from "../subscriptions-port.ts";

/** `name` is empty when none was given. No rules: the built-in ones. */
export type ReadSettings = Pick<Subscription, "name" | "defaultType" | "rules">;

export type SettingsResult =
  | { readonly ok: true; readonly settings: ReadSettings }
  | { readonly ok: false; readonly problem: SubscriptionProblem };

export const MAX_NAME_CHARACTERS = 100;

export function readSettings(typed: SubscriptionSettings): SettingsResult {
  const name = cleanText(typed.name, MAX_NAME_CHARACTERS);
  if (name.isCut) return refuse({ kind: "name-too-long" });
  const type = cleanText(typed.defaultType, MAX_TYPE_CHARACTERS);
  if (type.isCut) return refuse({ kind: "type-invalid" });
  const parsed = parseWordRules(typed.rules);
  if (!parsed.ok) return refuse({ kind: "rules-invalid", line: parsed.fault.line ?? 1 });
  return {
    ok: true,
    settings: {
      name: name.text ?? "",
      defaultType: type.text ?? DEFAULT_TYPE,
      // Whoever left the built-in ones as they are gets better ones when there are.
      rules: isBuiltIn(parsed.rules) ? [] : parsed.rules,
    },
  };
}

export function writeSettings({ name, defaultType, rules }: ReadSettings): SubscriptionSettings {
  return { name, defaultType, rules: formatWordRules(effectiveRules(rules)) };
}

export function effectiveRules(rules: readonly WordRule[]): readonly WordRule[] {
  return rules.length === 0 ? DEFAULT_WORD_RULES : rules;
}

function isBuiltIn(rules: readonly WordRule[]): boolean {
  return formatWordRules(rules) === formatWordRules(DEFAULT_WORD_RULES);
}

function refuse(problem: SubscriptionProblem): SettingsResult {
  return { ok: false, problem };
}
