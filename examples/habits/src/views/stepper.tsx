/** A small number between one and a maximum. */
import { useApp } from "../app-context.ts";
import { Icon } from "./icon.tsx";

export interface StepperProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}

export function Stepper({ label, value, max, onChange }: StepperProps) {
  const { texts } = useApp();
  const set = (next: number) => {
    if (Number.isInteger(next)) onChange(Math.min(Math.max(next, 1), max));
  };
  return (
    <div class="field">
      <label for="times">{label}</label>
      <div class="stepper">
        <button
          type="button"
          class="round"
          aria-label={texts.form.less}
          aria-disabled={value <= 1}
          onClick={() => set(value - 1)}
        >
          <Icon name="minus" />
        </button>
        <input
          id="times"
          type="number"
          inputMode="numeric"
          min={1}
          max={max}
          value={value}
          onChange={({ currentTarget }) => set(currentTarget.valueAsNumber)}
        />
        <button
          type="button"
          class="round"
          aria-label={texts.form.more}
          aria-disabled={value >= max}
          onClick={() => set(value + 1)}
        >
          <Icon name="plus" />
        </button>
      </div>
    </div>
  );
}
