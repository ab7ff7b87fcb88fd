import { isTyping } from "../../keyboard/keys";
import type { Action } from "../../keyboard/registry";
import type { Unit } from "./model/caret";
import { categoryOf } from "./model/editor";
import { type SpanKeys, shifted } from "./model/spanKeys";
import type { SpanCommands } from "./spanCommands";
import type { SpanEditor } from "./useSpanEditor";

type Draft = [id: string, label: string, key: string | null, run: () => void, part?: Partial<Action>];

function actions(group: string, drafts: Draft[], shared: Partial<Action> = {}): Action[] {
  return drafts.map(([id, label, key, run, part]) => ({
    ...{ id: `span-${id}`, label, group, key, run, isEnabled: () => true },
    ...shared,
    ...part,
  }));
}

/** Every key of a text that is marked. */
export function spanActions(editor: SpanEditor, spanCommands: SpanCommands, keys: SpanKeys): Action[] {
  return [
    ...categoryActions(editor, spanCommands, keys),
    ...selectedSpanActions(editor, spanCommands, keys),
    ...historyActions(spanCommands),
    ...walkActions(editor, spanCommands, keys),
    ...caretActions(spanCommands),
  ];
}

function categoryActions({ layer }: SpanEditor, spanCommands: SpanCommands, keys: SpanKeys): Action[] {
  const drafts = layer.categories.map(({ key, name }): Draft => {
    return [`category-${key}`, name, keys.categories.get(key) ?? null, () => spanCommands.category(key)];
  });
  return actions("Mark the selection as, or make the span in hand", drafts);
}

function selectedSpanActions(
  { selectedSpan, toMark, layer, sources }: SpanEditor,
  spanCommands: SpanCommands,
  { commands }: SpanKeys,
): Action[] {
  const isEnabled = () => selectedSpan !== null;
  const isReferring = selectedSpan !== null && categoryOf(layer, selectedSpan.category)?.refers === true;
  return actions(
    "The span in hand",
    [
      ["comment", "Write its comment", "m", spanCommands.writeComment],
      [
        "source",
        "Choose its source",
        commands.source,
        spanCommands.chooseSource,
        { isEnabled: () => isReferring && sources.length > 0, when: "with a span in hand that means one" },
      ],
      [
        "start-back",
        "Start a word earlier",
        commands.startBack,
        () => spanCommands.moveEnd("start", "word", "back"),
      ],
      ["start-on", "Start a word later", commands.startOn, () => spanCommands.moveEnd("start", "word", "on")],
      ["end-back", "End a word earlier", commands.endBack, () => spanCommands.moveEnd("end", "word", "back")],
      ["end-on", "End a word later", commands.endOn, () => spanCommands.moveEnd("end", "word", "on")],
      ...byCharacter(spanCommands, commands),
      ["select", "Select its text", commands.select, spanCommands.selectItsText],
      [
        "remark",
        "Move it to the selection",
        commands.remark,
        spanCommands.remark,
        { isEnabled: () => toMark !== null && isEnabled(), when: "with a span in hand and words selected" },
      ],
      ["delete", "Delete it", "delete", spanCommands.delete],
      ["delete-back", "Delete it", "backspace", spanCommands.delete],
    ],
    { isEnabled, when: "with a span in hand" },
  );
}

/** With Shift, where Shift is not needed to tell a command from a category. */
function byCharacter(spanCommands: SpanCommands, commands: SpanKeys["commands"]): Draft[] {
  return [
    [
      "start-back-1",
      "Start a character earlier",
      shifted(commands.startBack),
      () => spanCommands.moveEnd("start", "character", "back"),
    ],
    [
      "start-on-1",
      "Start a character later",
      shifted(commands.startOn),
      () => spanCommands.moveEnd("start", "character", "on"),
    ],
    [
      "end-back-1",
      "End a character earlier",
      shifted(commands.endBack),
      () => spanCommands.moveEnd("end", "character", "back"),
    ],
    [
      "end-on-1",
      "End a character later",
      shifted(commands.endOn),
      () => spanCommands.moveEnd("end", "character", "on"),
    ],
  ];
}

function historyActions(spanCommands: SpanCommands): Action[] {
  // In a span's comment box and at its sources too; in any other box the browser's own undo acts.
  const from = (target: EventTarget | null) =>
    !isTyping(target) ||
    (target instanceof Element && target.closest("[data-span-comment], [data-span-source]") !== null);
  return actions(
    "Undo",
    [
      ["undo", "Undo", "ctrl+z", spanCommands.undo],
      ["redo", "Redo", "ctrl+shift+z", spanCommands.redo],
      ["redo-y", "Redo", "ctrl+y", spanCommands.redo],
    ],
    { from, whileHeld: true },
  );
}

function walkActions(editor: SpanEditor, spanCommands: SpanCommands, { commands }: SpanKeys): Action[] {
  const { anchor, head } = editor.state.selection;
  const isHolding = editor.selectedSpan !== null || anchor !== head;
  return actions("Going to a span", [
    ["next", "Next span", commands.next, () => spanCommands.walk("on"), { whileHeld: true }],
    ["previous", "Previous span", commands.previous, () => spanCommands.walk("back"), { whileHeld: true }],
    [
      "missing",
      "What is missing",
      commands.missing,
      spanCommands.goToMissing,
      { isEnabled: () => editor.faults.length > 0, when: "while something is" },
    ],
    [
      "let-go",
      "Let go of the selection, then of the span",
      "escape",
      spanCommands.deselect,
      { isEnabled: () => isHolding, when: "while there is one" },
    ],
  ]);
}

const MOVES: [key: string, words: string, unit: Unit, side: "left" | "right"][] = [
  ["arrowleft", "a character left", "character", "left"],
  ["arrowright", "a character right", "character", "right"],
  ["home", "the paragraph's start", "paragraph", "left"],
  ["end", "the paragraph's end", "paragraph", "right"],
];
const FAR: typeof MOVES = [
  ["arrowleft", "a word left", "word", "left"],
  ["arrowright", "a word right", "word", "right"],
  ["home", "the text's start", "text", "left"],
  ["end", "the text's end", "text", "right"],
];

function caretActions(spanCommands: SpanCommands): Action[] {
  const move = (prefix: string, extends_: boolean, moves: typeof MOVES) =>
    moves.map(([key, words, unit, side]): Draft => {
      const label = extends_ ? `Select to ${words}` : `To ${words}`;
      return [
        `caret-${prefix}${key}`,
        label,
        `${prefix}${key}`,
        () => spanCommands.step(unit, side, extends_),
      ];
    });
  const lines = (prefix: string, extends_: boolean): Draft[] => [
    [
      `caret-${prefix}up`,
      extends_ ? "Select a line up" : "A line up",
      `${prefix}arrowup`,
      () => spanCommands.lineStep("back", extends_),
    ],
    [
      `caret-${prefix}down`,
      extends_ ? "Select a line down" : "A line down",
      `${prefix}arrowdown`,
      () => spanCommands.lineStep("on", extends_),
    ],
  ];
  const shared = { whileHeld: true, from: isInText };
  return [
    ...actions(
      "The caret in the text",
      [...move("", false, MOVES), ...move("ctrl+", false, FAR), ...lines("", false)],
      shared,
    ),
    ...actions(
      "Selecting text",
      [
        ...move("shift+", true, MOVES),
        ...move("ctrl+shift+", true, FAR),
        ...lines("shift+", true),
        ["caret-all", "Select the whole text", "ctrl+a", spanCommands.selectAll],
      ],
      shared,
    ),
  ];
}

/** Arrows on another control are that control's. */
function isInText(target: EventTarget | null): boolean {
  return target === document.body || (target instanceof Element && target.closest(".span-text") !== null);
}
