import { confirm, isCancel, multiselect, text } from "@clack/prompts";
import {
  CommandError,
  DryRunEnd,
  flag,
  type CommandContext,
  type Line,
  type PromptContext,
} from "./command.ts";
import { escapeLine } from "./escape-controls.ts";

/** The options of a command that says what it will do before it does it. */
export const PLAN_OPTIONS = {
  yes: flag("Do not ask for confirmation"),
  "dry-run": flag("Say what would be done, and change nothing"),
} as const;

/** What every question has; its text may quote a stranger. */
export function questionOf({ terminal }: PromptContext, message: string) {
  return { input: terminal.stdin, output: terminal.stdout, message: escapeLine(message) };
}

/** Asks for yes or no. */
export async function askConfirmation(
  context: PromptContext,
  message: string,
  initialValue: boolean,
): Promise<boolean> {
  return expectInput(await confirm({ ...questionOf(context, message), initialValue }));
}

/** `consequence` says in numbers what would happen. */
async function confirmOrFail(context: PromptContext, consequence: string): Promise<void> {
  if (context.options["yes"] === true) return;
  if (!context.isInteractive) {
    throw new CommandError(`${consequence}: nothing was changed; add --yes to confirm`);
  }
  if (!(await askConfirmation(context, `${consequence}. Continue?`, false))) throw cancelled();
}

export interface Plan {
  /** What the command will do, in one sentence. */
  readonly consequence: string;
  readonly details?: readonly Line[];
  /** The plan for programs, printed under `--json`. */
  readonly plan: object;
}

/** Says what the command will do, and asks for confirmation. A dry run ends the command here. */
export async function confirmPlan(
  context: PlanContext,
  { consequence, details = [], plan }: Plan,
): Promise<void> {
  if (context.options["dry-run"] === true) {
    const end = new DryRunEnd();
    context.print(consequence, ...details, end.message);
    context.json({ isDryRun: true, plan });
    throw end;
  }
  if (context.options["yes"] !== true) context.print(...details);
  await confirmOrFail(context, consequence);
}

/** What a command with `PLAN_OPTIONS` gives to `confirmPlan`. */
export type PlanContext = PromptContext & Pick<CommandContext, "print" | "json">;

export async function askText(
  context: PromptContext,
  message: string,
  initialValue: string,
  /** Returns what is wrong with an answer, or undefined. */
  validate?: (answer: string) => string | undefined,
): Promise<string> {
  const answer = await text({
    ...questionOf(context, message),
    initialValue: escapeLine(initialValue),
    ...(validate !== undefined && { validate: (value) => validate(value ?? "") }),
  });
  // An empty answer may be undefined.
  return expectInput(answer) ?? "";
}

export interface PromptChoice<T> {
  readonly value: T;
  readonly label: string;
}

export async function askChoices<T extends string>(
  context: PromptContext,
  message: string,
  options: readonly PromptChoice<T>[],
  initialValues: readonly T[],
  required: boolean,
): Promise<T[]> {
  const answer = await multiselect<string>({
    ...questionOf(context, message),
    required,
    options: options.map(({ value, label }) => ({ value, label: escapeLine(label) })),
    initialValues: [...initialValues],
  });
  const chosen = expectInput(answer);
  return options.map(({ value }) => value).filter((value) => chosen.includes(value));
}

/** Fails the command when the prompt was cancelled. */
export function expectInput<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw cancelled();
  return answer as Exclude<T, symbol>;
}

function cancelled(): CommandError {
  return new CommandError("Cancelled, nothing was changed");
}
