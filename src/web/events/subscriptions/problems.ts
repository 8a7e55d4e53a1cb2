/** What can be wrong in the form of a subscription: in words, and at which field. */
import type { Language } from "../../language.ts";
import { describeFault } from "../codes/faults.ts";
import type { SubscriptionFormFields } from "./form.ts";
import { SUBSCRIPTIONS_TEXTS, type PlainSubscriptionError } from "./texts.ts";

export type SubscriptionFormError =
  | { readonly kind: PlainSubscriptionError }
  | { readonly kind: "rules-invalid"; readonly line: number }
  | { readonly kind: "fetch-failed"; readonly fault: string };

export function describeProblem(problem: SubscriptionFormError, language: Language): string {
  const texts = SUBSCRIPTIONS_TEXTS[language];
  switch (problem.kind) {
    case "rules-invalid":
      return texts.rulesInvalid(problem.line);
    case "fetch-failed":
      return `${texts.fetchFailed} ${describeFault(problem.fault, language)}`;
    default:
      return texts.problems[problem.kind];
  }
}

const FIELDS: Readonly<Record<SubscriptionFormError["kind"], keyof SubscriptionFormFields | null>> =
  {
    "url-invalid": "url",
    "already-subscribed": "url",
    "fetch-failed": "url",
    "name-too-long": "name",
    "type-invalid": "defaultType",
    "rules-invalid": "rules",
    "too-many": null,
    "not-found": null,
    "too-soon": null,
  };

/** Null when it is about no field. */
export function fieldOfError({ kind }: SubscriptionFormError): keyof SubscriptionFormFields | null {
  return FIELDS[kind];
}
