import { Dialog } from "../../../components/Dialog";
import { Key } from "../../../components/Key";
import { type Action, helpGroups } from "../../../keyboard/registry";

/** Every key of the screen, written from the registry that makes them act; what does not act now is grey, and says when it does. */
export function HelpSheet({ actions, onClose }: { actions: readonly Action[]; onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <p className="mute small">
        While you type in a box, none of these act but those with Ctrl (⌘ on a Mac). With Alt none do. What is
        grey does not act now, and says when it does.
      </p>
      {helpGroups(actions).map((group) => (
        <section key={group.name} className="stack" aria-label={group.name}>
          <h3>{group.name}</h3>
          <ul className="key-list">
            {group.lines.map(({ label, keys, when }) => (
              <li key={label} className={when ? "off" : undefined}>
                {keys.map((key) => (
                  <Key key={key} name={key} />
                ))}
                <span className="visually-hidden">{keys.join(" or ")}: </span>
                <span>
                  {label}
                  {when && <small> {when}</small>}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  );
}
