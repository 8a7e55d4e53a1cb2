/** The fields of a form that works without a script: label, hint, and what is wrong with it. */
import { html, type Html } from "../html.ts";

export interface FieldOptions {
  /** Name and id alike. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string | Html;
  readonly problem?: string | null | false;
}

export interface TextFieldOptions extends FieldOptions {
  readonly type?: "text" | "date" | "time" | "url";
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly placeholder?: string;
  /** For the field that whoever opened the page came for. */
  readonly autofocus?: boolean;
}

export function textField(options: TextFieldOptions): Html {
  const { name, value, type = "text", required, maxLength, placeholder, autofocus } = options;
  return field(
    options,
    html`<input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="off"
      ${type === "url" && html` inputmode="url" autocapitalize="none" spellcheck="false"`}
      ${required === true && html` required`}
      ${maxLength !== undefined && html` maxlength="${maxLength}"`}
      ${autofocus === true && html` autofocus`}
      ${placeholder !== undefined && html` placeholder="${placeholder}"`}
      ${described(options)}
    />`,
  );
}

export function textAreaField(options: FieldOptions & { readonly rows: number }): Html {
  const { name, value, rows } = options;
  // A first line break is the parser's: https://html.spec.whatwg.org/#the-textarea-element
  return field(
    options,
    html`<textarea
      id="${name}"
      name="${name}"
      rows="${rows}"
      spellcheck="false"
      ${described(options)}
    >
${value}</textarea>`,
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export type ChoiceGroup = { readonly label: string; readonly choices: readonly Choice[] };

export function selectField(
  options: FieldOptions & { readonly choices: readonly (Choice | ChoiceGroup)[] },
): Html {
  const { name, value, choices } = options;
  const option = (choice: Choice) =>
    html`<option value="${choice.value}" ${choice.value === value && html` selected`}>
      ${choice.label}
    </option>`;
  return field(
    options,
    html`<select id="${name}" name="${name}" ${described(options)}>
      ${choices.map((choice) =>
        "choices" in choice
          ? html`<optgroup label="${choice.label}">${choice.choices.map(option)}</optgroup>`
          : option(choice),
      )}
    </select>`,
  );
}

function field({ name, label, hint, problem }: FieldOptions, control: Html): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`} ${control}
    ${isWrong(problem) && html`<p class="field-problem" id="${name}-problem">${problem}</p>`}
  </div>`;
}

function described({ name, hint, problem }: FieldOptions): Html | false {
  const ids = [
    ...(hint !== undefined ? [`${name}-hint`] : []),
    ...(isWrong(problem) ? [`${name}-problem`] : []),
  ];
  return (
    ids.length > 0 &&
    html` aria-describedby="${ids.join(" ")}"${isWrong(problem) && html` aria-invalid="true"`}`
  );
}

function isWrong(problem: FieldOptions["problem"]): problem is string {
  return typeof problem === "string";
}
