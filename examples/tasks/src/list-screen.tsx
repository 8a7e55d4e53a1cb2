import { count, eq, useLiveQuery } from "@tanstack/react-db";
import { useState } from "react";
import { addTask, projectRows, taskRows, type Attempt } from "./data.ts";
import { texts } from "./texts.ts";

const PAGE = 100;

/** All tasks in their order, each with the name of its project. */
export function ListScreen({ attempt }: { attempt: Attempt }) {
  const [limit, setLimit] = useState(PAGE);
  const { data: listed } = useLiveQuery(
    (q) =>
      q
        .from({ task: taskRows })
        .join({ project: projectRows }, ({ task, project }) => eq(task.project, project.id))
        .orderBy(({ task }) => task.position)
        .orderBy(({ task }) => task.id)
        .limit(limit)
        .select(({ task, project }) => ({
          id: task.id,
          title: task.title,
          done: task.done,
          tags: task.tags,
          project: project?.name,
        })),
    [limit],
  );
  const { data: open } = useLiveQuery((q) =>
    q
      .from({ task: taskRows })
      .where(({ task }) => eq(task.done, false))
      .select(({ task }) => ({ tasks: count(task.id) })),
  );
  const setDone = (id: string, done: boolean) =>
    attempt(taskRows.update(id, (task) => void (task.done = done)).when("settled"));
  return (
    <>
      <h1>{texts.app}</h1>
      <NewTask attempt={attempt} />
      <p>{listed.length === 0 ? texts.nothing : texts.open(open[0]?.tasks ?? 0)}</p>
      <ul className="tasks">
        {listed.map(({ id, title, done, tags, project }) => (
          <li key={id}>
            <label>
              <input
                type="checkbox"
                checked={done}
                onChange={({ target }) => setDone(id, target.checked)}
              />
              <span className="hidden">{`${texts.done}: ${title}`}</span>
            </label>
            <a href={`#/task/${id}`}>{title}</a>
            <small>{[project, ...tags].join(" · ")}</small>
          </li>
        ))}
      </ul>
      {listed.length === limit && (
        <button type="button" onClick={() => setLimit(limit + PAGE)}>
          {texts.showMore}
        </button>
      )}
    </>
  );
}

function NewTask({ attempt }: { attempt: Attempt }) {
  const [title, setTitle] = useState("");
  const [project, setProject] = useState("");
  const { data: projects } = useLiveQuery((q) => q.from({ project: projectRows }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // At once: the person may type the next title while this one is stored.
        setTitle("");
        const added = addTask(title, project).catch((error: unknown) => {
          setTitle((next) => (next === "" ? title : next));
          throw error;
        });
        attempt(added);
      }}
    >
      <label>
        {texts.newTask}
        <input required value={title} onChange={({ target }) => setTitle(target.value)} />
      </label>
      <label>
        {texts.project}
        <input
          required
          list="projects"
          value={project}
          onChange={({ target }) => setProject(target.value)}
        />
      </label>
      <datalist id="projects">
        {projects.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      <button>{texts.add}</button>
    </form>
  );
}
