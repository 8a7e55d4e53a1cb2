/** A box with a heading, and the lists in it. */
import type { ComponentChildren } from "preact";

export interface PanelProps {
  /** Of the heading, which names the box. */
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

export function Panel({ id, title, children }: PanelProps) {
  return (
    <section class="panel stack" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

export function Bullets({ items }: { items: readonly string[] }) {
  return (
    <ul class="bullets">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}
