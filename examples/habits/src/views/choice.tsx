/** One of several, as radio buttons that look like tiles or pills. */
import type { ComponentChildren } from "preact";

export interface ChoiceProps<Value extends string> {
  readonly legend: string;
  readonly name: string;
  readonly look?: "tiles" | "pills";
  readonly options: readonly ChoiceOption<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

export interface ChoiceOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** In the place of the label, which then only screen readers get. */
  readonly picture?: ComponentChildren;
}

export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { legend, name, look = "pills", options, value, onChange } = props;
  return (
    <fieldset class="field">
      <legend>{legend}</legend>
      <div class={`choice ${look}`}>
        {options.map((option) => (
          <label key={option.value} title={option.picture === undefined ? undefined : option.label}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span class={option.picture === undefined ? "text" : "picture"}>
              {option.picture === undefined ? (
                option.label
              ) : (
                <>
                  {option.picture}
                  <span class="unseen">{option.label}</span>
                </>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
