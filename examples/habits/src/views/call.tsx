/** What asks for something: a few words, and what to do about it. */
import type { ComponentChildren } from "preact";

export interface CallProps {
  readonly title?: string | null;
  readonly text?: string;
  readonly isUrgent?: boolean;
  readonly children: ComponentChildren;
}

export function Call({ title, text, isUrgent = false, children }: CallProps) {
  return (
    <section class="panel call" data-kind={isUrgent ? "attention" : undefined}>
      <div>
        {title && <p class="label">{title}</p>}
        {text !== undefined && <p class="meta">{text}</p>}
      </div>
      {children}
    </section>
  );
}
