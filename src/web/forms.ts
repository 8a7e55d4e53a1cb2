/** Forms that work without a script. */
import { html, type Html } from "./html.ts";

export function hiddenFields(members: Readonly<Record<string, string>>): Html[] {
  return Object.entries(members).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
}

export interface FieldOptions {
  /** The name is also the id of the field. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string | Html;
  readonly error?: string | false;
}

export interface TextFieldOptions extends FieldOptions {
  readonly type?: "text" | "search" | "date" | "time" | "url";
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly autofocus?: boolean;
  /** Set where the page has several fields of one name. */
  readonly submittedName?: string;
}

export function textField(options: TextFieldOptions): Html {
  const { name, value, type = "text", required, maxLength, placeholder, autofocus } = options;
  const { submittedName = name } = options;
  return field(
    options,
    html`<input
      id="${name}"
      name="${submittedName}"
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
  // The parser drops the first line break: https://html.spec.whatwg.org/#the-textarea-element
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

function field({ name, label, hint, error = false }: FieldOptions, control: Html): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`} ${control}
    ${error !== false && html`<p class="field-error" id="${name}-error">${error}</p>`}
  </div>`;
}

function described({ name, hint, error = false }: FieldOptions): Html | false {
  const ids = [
    ...(hint !== undefined ? [`${name}-hint`] : []),
    ...(error !== false ? [`${name}-error`] : []),
  ];
  return (
    ids.length > 0 &&
    html` aria-describedby="${ids.join(" ")}"${error !== false && html` aria-invalid="true"`}`
  );
}

/** An action that cannot be undone, with a confirmation that needs no script. */
export interface ConfirmOptions {
  readonly label: string;
  /** What the action is about, for screen readers. */
  readonly name: string;
  readonly question: string;
  readonly confirm: string;
  readonly action: string;
  readonly members: Readonly<Record<string, string>>;
}

export function confirmForm(options: ConfirmOptions): Html {
  const { label, question, confirm, action, members } = options;
  const name = html`<span class="unseen"> ${options.name}</span>`;
  return html`<details class="confirm">
    <summary class="quiet">${label}${name}</summary>
    <form class="row question" method="post" action="${action}">
      ${hiddenFields(members)}
      <p>${question}</p>
      <button class="button danger" type="submit">${confirm}${name}</button>
    </form>
  </details>`;
}
