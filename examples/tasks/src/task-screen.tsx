import { useState } from "react";
import { useEntity, useQuery } from "trellis/react";
import { moveTask, store, tasks, type Attempt } from "./data.ts";
import { texts } from "./texts.ts";

const STEP_MINUTES = 5;

export function TaskScreen({ id, attempt }: { id: string; attempt: Attempt }) {
  const task = useEntity(tasks, id);
  const { isComplete } = useQuery(tasks, { limit: 0 });
  const edit = (work: ReturnType<typeof tasks.patch>) => attempt(store(work));
  return (
    <>
      <p>
        <a className="target" href="#/">
          {texts.back}
        </a>
      </p>
      {task === undefined ? (
        isComplete && <p>{texts.gone}</p>
      ) : (
        <>
          <h1>{task.title}</h1>
          <TextForm
            label={texts.title}
            button={texts.save}
            text={task.title}
            take={(title) => edit(tasks.patch(id, { title }))}
          />
          <h2>{texts.spent(task.spent)}</h2>
          <p className="row buttons">
            <button
              type="button"
              className="button"
              onClick={() => edit(tasks.increment(id, "spent", STEP_MINUTES))}
            >
              {texts.more(STEP_MINUTES)}
            </button>
            <button
              type="button"
              className="button"
              onClick={() => edit(tasks.increment(id, "spent", -STEP_MINUTES))}
            >
              {texts.less(STEP_MINUTES)}
            </button>
          </p>
          <h2>{texts.tags}</h2>
          <p className="row buttons">
            {task.tags.map((tag) => (
              <button
                key={tag}
                type="button"
                className="button"
                aria-label={texts.removeTag(tag)}
                onClick={() => edit(tasks.removeFrom(id, "tags", tag))}
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
            take={(tag) => edit(tasks.addTo(id, "tags", tag))}
          />
          <p className="row buttons">
            <button type="button" className="button" onClick={() => attempt(moveTask(id, "up"))}>
              {texts.moveUp}
            </button>
            <button type="button" className="button" onClick={() => attempt(moveTask(id, "down"))}>
              {texts.moveDown}
            </button>
            <button type="button" className="button" onClick={() => edit(tasks.remove(id))}>
              {texts.remove}
            </button>
          </p>
        </>
      )}
    </>
  );
}

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
      className="row buttons"
      onSubmit={(event) => {
        event.preventDefault();
        take(typed);
      }}
    >
      <label className="field">
        {label}
        <input required value={typed} onChange={({ target }) => setTyped(target.value)} />
      </label>
      <button className="button primary">{button}</button>
    </form>
  );
}
