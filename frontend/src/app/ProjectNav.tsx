import { useEffect, useId, useRef } from "react";
import { NavLink } from "react-router";
import type { Project } from "../api/types";
import { grouped, type Screen, type ScreenGroup, waitingFor } from "./navigation";

interface Offered {
  project: Project;
  screens: readonly Screen[];
}

interface Opened {
  open: boolean;
  onChange: (open: boolean) => void;
}

const MENU = "project-menu";

/** A few screens, beside each other in the header. */
export function FlatNav({ project, screens }: Offered) {
  return (
    <nav className="shell-nav" aria-label="Project">
      {screens.map(({ name, title }) => (
        <NavLink key={name} to={`/projects/${project.id}/${name}`}>
          {title}
        </NavLink>
      ))}
    </nav>
  );
}

/** Opens the side bar where the window has no room for it. */
export function MenuButton({ open, onChange }: Opened) {
  return (
    <button
      type="button"
      className="button menu-button"
      aria-expanded={open}
      aria-controls={MENU}
      onClick={() => onChange(!open)}
    >
      Menu
    </button>
  );
}

/** Many screens in groups: a side bar, or a menu that the header's button opens. */
export function SideNav({ project, screens, open, onChange }: Offered & Opened) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    if (open) nav.current?.querySelector<HTMLElement>("[aria-current], a")?.focus();
  }, [open]);
  return (
    <nav
      ref={nav}
      id={MENU}
      className="shell-side"
      data-open={open}
      aria-label="Project"
      onKeyDown={({ key }) => {
        if (key !== "Escape" || !open) return;
        onChange(false);
        document.querySelector<HTMLElement>(`[aria-controls="${MENU}"]`)?.focus();
      }}
    >
      {grouped(screens).map((group) => (
        <Group
          key={group.screens[0]?.name}
          group={group}
          project={project}
          onChoose={() => onChange(false)}
        />
      ))}
    </nav>
  );
}

interface GroupProps {
  group: ScreenGroup;
  project: Project;
  onChoose: () => void;
}

function Group({ group: { title, screens }, project, onChoose }: GroupProps) {
  const id = useId();
  return (
    <div className="group">
      {title && (
        <span id={id} className="mute">
          {title}
        </span>
      )}
      <ul aria-labelledby={title && id}>
        {screens.map((screen) => (
          <li key={screen.name}>
            <ScreenLink screen={screen} project={project} onChoose={onChoose} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ScreenLinkProps {
  screen: Screen;
  project: Project;
  onChoose: () => void;
}

function ScreenLink({ screen, project, onChoose }: ScreenLinkProps) {
  const id = useId();
  const waits = waitingFor(screen, project);
  return (
    <>
      <NavLink
        to={`/projects/${project.id}/${screen.name}`}
        aria-describedby={waits ? id : undefined}
        onClick={onChoose}
      >
        {screen.title}
      </NavLink>
      {waits && (
        <small id={id} className="waits">
          Waits for {waits}
        </small>
      )}
    </>
  );
}
