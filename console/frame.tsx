import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef } from 'react';
import { SOON_MS, signOut, useAsk } from './data.ts';
import { Habits, Preferences } from './habits.tsx';
import { NotYoursPage } from './pages/nowhere.tsx';
import { useProposed } from './proposed.ts';
import { isClosed, screensOf } from './screens.ts';
import type { Me } from './shapes.ts';
import { StepUp } from './step-up.tsx';
import { Button } from './ui/button.tsx';
import { Icon } from './ui/icon.tsx';
import { Toast } from './ui/toast.tsx';
import { showTimesIn } from './ui/when.tsx';
import { say } from './words/say.ts';

/** The frame of every screen: navigation, search, signed-in user. */
export function Frame({ me }: { me: Me }) {
  showTimesIn(me.home === 'operator' ? 'UTC' : 'local');
  return (
    <div className="frame">
      <a className="skip" href="#main">
        {say('Skip to the content')}
      </a>
      <header className="bar">
        <p className="brand">
          Archipay <span>{me.home === 'operator' ? 'console' : me.organisation}</span>
        </p>
        {me.may.includes('payments:read') && <Search home={me.home} />}
        <Button className="menu" popoverTarget="screens" aria-label="Menu">
          <Icon name="menu" />
        </Button>
      </header>
      <Screens me={me} />
      <main id="main">
        <Opened me={me} />
      </main>
      <Toast />
      <Habits me={me} />
      <StepUp />
    </div>
  );
}

/** The screen of the address, or that it is not for this person. */
function Opened({ me }: { me: Me }) {
  const path = useLocation({ select: ({ pathname }) => pathname.replace(/^\/console/, '') });
  return isClosed(me, path) ? <NotYoursPage role={me.team_role} /> : <Outlet />;
}

function Screens({ me }: { me: Me }) {
  const nav = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  // On a small screen it is open until somebody has chosen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what it waits for.
  useEffect(() => nav.current?.hidePopover(), [path]);
  return (
    <nav id="screens" ref={nav} popover="auto" aria-label="Screens">
      <ul>
        {screensOf(me).map(({ to, name }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
              {say(name)}
              {to === '/' && me.home === 'operator' && <Waiting />}
            </Link>
          </li>
        ))}
      </ul>
      <div className="me">
        <p>
          <span className="soft">{say('Signed in as')}</span>
          <strong>{me.user.username}</strong>
          <span className="soft">{me.team_role}</span>
        </p>
        <Preferences />
        <Button onClick={signOut}>Sign out</Button>
        <p className="soft">Version {me.version}</p>
      </div>
    </nav>
  );
}

const ANYTHING = 'Search by e-mail address, phone, name, id, reference or hash';
const PAYMENT = 'Search payments by id, reference or hash';

/** The number of things that wait for a person, on every screen. */
function Waiting() {
  const { data } = useAsk('GET /desk/work', {}, { every: SOON_MS });
  const { stalled = [], dead_letters = [], breaks = [], unmatched = [] } = data?.data ?? {};
  const proposed = useProposed().rows ?? [];
  const { in_doubt = [], returned_twice = [], discrepancies = [] } = data?.data ?? {};
  const overdue = in_doubt.filter(({ is_overdue }) => is_overdue);
  const known = [stalled, dead_letters, overdue, returned_twice, discrepancies, proposed];
  const payments = unmatched.reduce((sum, { open }) => sum + open, 0);
  const differences = breaks.reduce((sum, { open }) => sum + open, 0);
  const count = known.reduce((sum, { length }) => sum + length, differences + payments);
  return count > 0 && <span className="count">{count}</span>;
}

function Search({ home }: Pick<Me, 'home'>) {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const isTyping = target.closest('input, textarea, select, dialog');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping) return;
      event.preventDefault();
      input.current?.select();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const q = input.current?.value.trim();
    if (q) void navigate({ to: home === 'operator' ? '/timeline' : '/payments', search: { q } });
  };
  return (
    <search>
      <form onSubmit={search}>
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          aria-label={home === 'operator' ? ANYTHING : PAYMENT}
          placeholder={
            home === 'operator' ? 'E-mail, name, id, reference, hash' : 'Reference, id, hash'
          }
          maxLength={200}
          aria-keyshortcuts="/"
        />
        <span className="key">/</span>
      </form>
    </search>
  );
}
