/** A small number between one and a maximum. */
import { RoundButton } from "./button.tsx";
import { useApp } from "../app-context.ts";

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
        <RoundButton
          icon="minus"
          label={texts.form.less}
          isOff={value <= 1}
          onClick={() => set(value - 1)}
        />
        <input
          id="times"
          type="number"
          inputMode="numeric"
          min={1}
          max={max}
          value={value}
          onChange={({ currentTarget }) => set(currentTarget.valueAsNumber)}
        />
        <RoundButton
          icon="plus"
          label={texts.form.more}
          isOff={value >= max}
          onClick={() => set(value + 1)}
        />
      </div>
    </div>
  );
}
