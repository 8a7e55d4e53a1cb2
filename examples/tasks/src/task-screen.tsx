import { eq, useLiveQuery } from "@tanstack/react-db";
import { useState } from "react";
import { moveTask, taskRows, type Attempt } from "./data.ts";
import { texts } from "./texts.ts";

const STEP_MINUTES = 5;

export function TaskScreen({ id, attempt }: { id: string; attempt: Attempt }) {
  const { data: task, isReady } = useLiveQuery(
    (q) =>
      q
        .from({ task: taskRows })
        .where(({ task }) => eq(task.id, id))
        .findOne(),
    [id],
  );
  const update = (change: Parameters<typeof taskRows.update>[2]) =>
    attempt(taskRows.update(id, {}, change).when("settled"));
  return (
    <>
      <p>
        <a href="#/">{texts.back}</a>
      </p>
      {task === undefined ? (
        isReady && <p>{texts.gone}</p>
      ) : (
        <>
          <h1>{task.title}</h1>
          <TextForm
            label={texts.title}
            button={texts.save}
            text={task.title}
            take={(title) => update((draft) => void (draft.title = title))}
          />
          <h2>{texts.spent(task.spent)}</h2>
          <p>
            <button
              type="button"
              onClick={() => update((draft) => void (draft.spent += STEP_MINUTES))}
            >
              {texts.more(STEP_MINUTES)}
            </button>
            <button
              type="button"
              onClick={() => update((draft) => void (draft.spent -= STEP_MINUTES))}
            >
              {texts.less(STEP_MINUTES)}
            </button>
          </p>
          <h2>{texts.tags}</h2>
          <p>
            {task.tags.map((tag) => (
              <button
                key={tag}
                type="button"
                aria-label={texts.removeTag(tag)}
                onClick={() => update((draft) => void (draft.tags = without(draft.tags, tag)))}
              >
                {tag} ×
              </button>
            ))}
          </p>
          <TextForm
            key={task.tags.length}
            label={texts.newTag}
            button={texts.addTag}
            text=""
            take={(tag) =>
              update((draft) => void (draft.tags = [...without(draft.tags, tag), tag]))
            }
          />
          <p>
            <button type="button" onClick={() => attempt(moveTask(id, "up"))}>
              {texts.moveUp}
            </button>
            <button type="button" onClick={() => attempt(moveTask(id, "down"))}>
              {texts.moveDown}
            </button>
            <button type="button" onClick={() => attempt(taskRows.delete(id).when("settled"))}>
              {texts.remove}
            </button>
          </p>
        </>
      )}
    </>
  );
}

const without = (tags: readonly string[], tag: string) => tags.filter((one) => one !== tag);

interface TextFormProps {
  label: string;
  button: string;
  text: string;
  take: (text: string) => void;
}

function TextForm({ label, button, text, take }: TextFormProps) {
  const [typed, setTyped] = useState(text);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        take(typed);
      }}
    >
      <label>
        {label}
        <input required value={typed} onChange={({ target }) => setTyped(target.value)} />
      </label>
      <button>{button}</button>
    </form>
  );
}
