import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { chooseLetters, chooseScheme, hasLetters, type Scheme, schemeNow } from './prefs.ts';
import { screensOf } from './screens.ts';
import type { Me } from './shapes.ts';
import { Button } from './ui/button.tsx';
import { Dialog } from './ui/dialog.tsx';
import { Select } from './ui/field.tsx';
import { type Choice, Palette, useKeys } from './ui/palette.tsx';
import { say } from './words/say.ts';

/** The palette, the keys and their help, on every screen. */
export function Habits({ me }: { me: Me }) {
  const [open, setOpen] = useState<'palette' | 'help'>();
  const navigate = useNavigate();
  const screens = useMemo(() => screensOf(me), [me]);
  const keys = useMemo(
    () => ({
      onPalette: () => setOpen('palette'),
      onHelp: () => setOpen('help'),
      letters: new Map<string, string>(screens.map(({ letter, to }) => [letter, to])),
      isOn: hasLetters,
    }),
    [screens],
  );
  useKeys(keys);
  const close = () => setOpen(undefined);
  const choices: Choice[] = screens.map(({ to, name, letter }) => ({
    name: say(name),
    hint: `g ${letter}`,
    go: () => navigate({ to }),
  }));
  const search = (q: string): Choice | undefined => {
    const to = me.home === 'operator' ? '/timeline' : '/payments';
    const go = () => navigate({ to, search: { q } });
    return me.may.includes('payments:read')
      ? { name: say('Search for {q}', { q }), go }
      : undefined;
  };
  return (
    <>
      {open === 'palette' && <Palette choices={choices} search={search} onClose={close} />}
      {open === 'help' && (
        <Dialog title="Keys" onClose={close}>
          <Keys screens={screens} />
          <div className="buttons">
            <Button onClick={close}>Close</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

const KEYS = [
  ['Ctrl K', 'Go to any screen, or search'],
  ['/', 'Search'],
  ['?', 'This list'],
  ['Esc', 'Close what is open'],
] as const;

const Keys = ({ screens }: { screens: ReturnType<typeof screensOf> }) => (
  <dl className="facts">
    {KEYS.map(([key, text]) => (
      <div key={key}>
        <dt>
          <kbd>{key}</kbd>
        </dt>
        <dd>{say(text)}</dd>
      </div>
    ))}
    {screens.map(({ to, name, letter }) => (
      <div key={to}>
        <dt>
          <kbd>g {letter}</kbd>
        </dt>
        <dd>{say(name)}</dd>
      </div>
    ))}
  </dl>
);

/** Colours and keys of this browser. */
export function Preferences() {
  const [isOpen, setOpen] = useState(false);
  const [scheme, setScheme] = useState(schemeNow);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Look and keys
      </Button>
      {isOpen && (
        <Dialog title="Look and keys" onClose={() => setOpen(false)}>
          <Select<Scheme>
            label="Colours"
            value={scheme}
            options={[
              ['system', 'As the system has them'],
              ['light', 'Light'],
              ['dark', 'Dark'],
            ]}
            onChoice={(next) => {
              chooseScheme(next);
              setScheme(next);
            }}
          />
          <Select<'on' | 'off'>
            label="Letters as shortcuts"
            defaultValue={hasLetters() ? 'on' : 'off'}
            options={[
              ['on', 'On'],
              ['off', 'Off'],
            ]}
            onChoice={(choice) => chooseLetters(choice === 'on')}
          />
          <div className="buttons">
            <Button onClick={() => setOpen(false)}>Close</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
