/** A month or a year in a box: its name, with buttons to the one before and the one after. */
import type { ComponentChildren } from "preact";
import { RoundButton } from "./button.tsx";

export interface PeriodProps {
  readonly title: ComponentChildren;
  readonly labels: readonly [before: string, after: string];
  readonly isFirst?: boolean;
  readonly isLast: boolean;
  readonly onStep: (by: 1 | -1) => void;
  readonly children: ComponentChildren;
}

export function Period({ title, labels, isFirst, isLast, onStep, children }: PeriodProps) {
  const [before, after] = labels;
  return (
    <section class="month panel">
      <div class="month-bar">
        <RoundButton icon="back" label={before} isOff={isFirst} onClick={() => onStep(-1)} />
        <h2 aria-live="polite">{title}</h2>
        <RoundButton icon="next" label={after} isOff={isLast} onClick={() => onStep(1)} />
      </div>
      {children}
    </section>
  );
}
