import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { say } from '../words/say.ts';
import { Dialog } from './dialog.tsx';

export interface Choice {
  readonly name: string;
  readonly hint?: string;
  readonly go: () => unknown;
}

interface PaletteProps {
  readonly choices: readonly Choice[];
  /** Where the typed text is looked for. */
  readonly search: (q: string) => Choice | undefined;
  readonly onClose: () => void;
}

/** Goes anywhere by typing: a combobox by the ARIA pattern, whose list the arrow keys walk. */
export function Palette({ choices, search, onClose }: PaletteProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const typed = text.trim().toLowerCase();
  const fitting = choices.filter(({ name }) => name.toLowerCase().includes(typed));
  const asked = typed === '' ? undefined : search(text.trim());
  const shown = asked ? [...fitting, asked] : fitting;
  const at = Math.min(place, shown.length - 1);
  const take = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    choice.go();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setPlace((at + step + shown.length) % shown.length);
    else if (event.key === 'Enter') take(shown[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        className="asking"
        type="text"
        role="combobox"
        aria-label={say('Screen, or any name of a thing')}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={shown[at] && `${id}-${at}`}
        aria-autocomplete="list"
        autoComplete="off"
        value={text}
        onKeyDown={onKey}
        onChange={(event) => {
          setText(event.target.value);
          setPlace(0);
        }}
      />
      <div id={`${id}-list`} role="listbox" className="choices" aria-label={say('Choices')}>
        {shown.map((choice, n) => (
          <div
            key={choice.name}
            id={`${id}-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === at}
            onPointerDown={() => take(choice)}
          >
            {choice.name} {choice.hint && <span className="key">{choice.hint}</span>}
          </div>
        ))}
      </div>
    </Dialog>
  );
}

/** The keys of the whole console: a palette by Ctrl-K, screens by `g` and a letter, help by `?`. */
export function useKeys(of: {
  readonly onPalette: () => void;
  readonly onHelp: () => void;
  readonly letters: ReadonlyMap<string, string>;
  readonly isOn: () => boolean;
}): void {
  const navigate = useNavigate();
  useEffect(() => {
    let began = 0;
    const press = (event: globalThis.KeyboardEvent) => {
      const isTyping = (event.target as HTMLElement).closest('input, textarea, select, dialog');
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
        event.preventDefault();
        if (!document.querySelector('dialog[open]')) of.onPalette();
        return;
      }
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !of.isOn()) return;
      if (event.key === '?') of.onHelp();
      const to = event.timeStamp - began < 1500 ? of.letters.get(event.key) : undefined;
      began = event.key === 'g' ? event.timeStamp : 0;
      if (to !== undefined) void navigate({ to });
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [navigate, of]);
}
