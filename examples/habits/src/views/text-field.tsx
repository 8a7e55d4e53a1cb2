/** A line or several lines of text with a label, and an error where there is one. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "../app-context.ts";

export interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly maxLength: number;
  readonly isOptional?: boolean;
  readonly isLong?: boolean;
  readonly placeholder?: string;
  readonly hint?: string;
  /** Whether no keyboard or browser may learn or correct it. */
  readonly isSecret?: boolean;
  /** Gets the focus when it appears. */
  readonly error?: string | null;
  /** Offered while one types. */
  readonly suggestions?: readonly string[];
  readonly onInput: (value: string) => void;
}

const SECRET = { autocapitalize: "characters", autocomplete: "off", spellcheck: false } as const;

export function TextField(props: TextFieldProps) {
  const { id, label, value, maxLength, isOptional = false, isLong = false, error = null } = props;
  const { hint, isSecret = false, suggestions } = props;
  const { texts } = useApp();
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  // Before the browser paints: what a person types when they see the error belongs here.
  useLayoutEffect(() => {
    if (error !== null) input.current?.focus();
  }, [error]);
  const shared = {
    id,
    ref: input,
    value,
    maxLength,
    required: !isOptional,
    placeholder: props.placeholder,
    "aria-invalid": error === null ? undefined : true,
    "aria-describedby":
      error !== null ? `${id}-error` : hint === undefined ? undefined : `${id}-hint`,
    ...(isSecret && SECRET),
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      props.onInput(currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>
        {label} {isOptional && <small>{texts.form.optional}</small>}
      </label>
      {isLong ? (
        <textarea rows={3} {...shared} />
      ) : (
        <input autocomplete="off" list={suggestions && `${id}-list`} {...shared} />
      )}
      {suggestions !== undefined && (
        <datalist id={`${id}-list`}>
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {error !== null && (
        <p id={`${id}-error`} class="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
