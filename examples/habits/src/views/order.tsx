/** The person's own order: with a finger or a mouse by the handle, with a keyboard by two buttons. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { listHabits, type Habit } from "../habit.ts";
import { TONES } from "../tone.ts";
import { moveHabit } from "../trellis.ts";
import { RoundButton } from "./button.tsx";
import { Icon, toIconName } from "./icon.tsx";
import { Page } from "./page.tsx";

interface Drag {
  readonly id: string;
  /** Among the others, where it would be put. */
  readonly index: number;
}

export function OrderView() {
  const { sync, data, texts, notify } = useApp();
  const [drag, setDrag] = useState<Drag | null>(null);
  const [said, setSaid] = useState("");
  const list = useRef<HTMLUListElement>(null);
  /** The selector of the button that keeps the focus: it moves with its row. */
  const pressed = useRef<string | null>(null);
  const habits = listHabits(data).filter(({ isActive }) => isActive);
  const shown = drag === null ? habits : arrange(habits, drag);

  useLayoutEffect(() => {
    if (pressed.current !== null)
      list.current?.querySelector<HTMLElement>(pressed.current)?.focus();
  });

  const put = async (habit: Habit, index: number) => {
    const others = habits.filter(({ id }) => id !== habit.id);
    const before = others[index - 1];
    const place = before === undefined ? ({ first: true } as const) : { after: before.id };
    const result = await moveHabit(sync, data, habit, place);
    if (result.kind === "refused") return notify(texts.notSaved(result.message));
    setSaid(texts.order.moved(habit.name, index + 1, habits.length));
  };
  const step = (habit: Habit, by: 1 | -1) => {
    pressed.current = `[data-id="${CSS.escape(habit.id)}"] [data-by="${by}"]`;
    void put(habit, habits.indexOf(habit) + by);
  };
  const onDrag = (habit: Habit, y: number) => {
    const rows = [...(list.current?.children ?? [])].filter(
      (row) => (row as HTMLElement).dataset["id"] !== habit.id,
    );
    const index = rows.filter((row) => middleOf(row) < y).length;
    if (drag?.id !== habit.id || drag.index !== index) setDrag({ id: habit.id, index });
  };
  const onDrop = (habit: Habit) => {
    setDrag(null);
    if (drag !== null && habits.indexOf(habit) !== drag.index) void put(habit, drag.index);
  };

  return (
    <Page title={texts.order.title}>
      <div class="stack">
        <p class="meta">{texts.order.hint}</p>
        <ul class="habits order" ref={list}>
          {shown.map((habit, index) => (
            <li
              key={habit.id}
              class="habit panel"
              data-id={habit.id}
              data-dragged={habit.id === drag?.id}
              style={{ "--tint": TONES[habit.tone] }}
            >
              <span
                class="handle"
                aria-hidden="true"
                onPointerDown={(event) => {
                  pressed.current = null;
                  event.currentTarget.setPointerCapture(event.pointerId);
                  setDrag({ id: habit.id, index });
                }}
                onPointerMove={(event) => habit.id === drag?.id && onDrag(habit, event.clientY)}
                onPointerUp={() => onDrop(habit)}
                onPointerCancel={() => setDrag(null)}
              >
                <Icon name="handle" />
              </span>
              <span class="symbol">
                <Icon name={toIconName(habit.icon)} />
              </span>
              <span class="name">{habit.name}</span>
              {([-1, 1] as const).map((by) => (
                <RoundButton
                  key={by}
                  icon={by < 0 ? "up" : "down"}
                  label={(by < 0 ? texts.order.up : texts.order.down)(habit.name)}
                  isOff={by < 0 ? index === 0 : index === shown.length - 1}
                  data-by={by}
                  onClick={() => step(habit, by)}
                />
              ))}
            </li>
          ))}
        </ul>
      </div>
      <p class="unseen" role="status">
        {said}
      </p>
    </Page>
  );
}

function arrange(habits: readonly Habit[], { id, index }: Drag): readonly Habit[] {
  const others = habits.filter((habit) => habit.id !== id);
  return others.toSpliced(index, 0, ...habits.filter((habit) => habit.id === id));
}

function middleOf(row: Element): number {
  const { top, bottom } = row.getBoundingClientRect();
  return (top + bottom) / 2;
}
