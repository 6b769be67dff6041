import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Failure } from '../api.ts';
import { useAsk } from '../data.ts';
import type { Moment, Timeline } from '../shapes.ts';
import { Ident } from '../ui/ident.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Page, Part } from '../ui/page.tsx';
import { dayOf } from '../ui/when.tsx';
import { MomentItem } from './moment.tsx';
import { Clients, People } from './people.tsx';
import { Wallets } from './wallets.tsx';

/** The entries in the order of the events, calls and postings. */
const KINDS = [
  ...(['request', 'event', 'call', 'step', 'inbound', 'posting', 'transaction'] as const),
  'difference',
] as const;

export function TimelinePage() {
  const { q } = useSearch({ from: '/timeline' });
  return (
    <Page title="Timeline">
      {q === undefined ? (
        <p className="empty">
          Search above for whatever is at hand: an e-mail address, a phone, a user name or number, a
          client’s name, the id, reference, retrieval number or approval code of a payment, the hash
          of a transaction, the id of a request, an event, a call, a flow or something inbound.
        </p>
      ) : (
        // Another name is another timeline: no filter of the last one stays.
        <Story key={q} q={q} />
      )}
    </Page>
  );
}

function Story({ q }: { q: string }) {
  const found = useAsk('GET /desk/timeline', { query: { q } });
  if (found.error instanceof Failure && found.error.status === 404)
    return (
      <p className="empty">
        Nothing is known of <code>{q}</code>. Names are to be whole; requests are known for seven
        days.
      </p>
    );
  return (
    <>
      <p className="asked">
        <Ident id={q} />
        <Link className="button plain" to="/payments" search={{ q }}>
          Payments of that name
        </Link>
      </p>
      <Loaded of={found}>{({ data }) => <Found {...data} />}</Loaded>
    </>
  );
}

const Found = ({ people, clients, names, moments }: Timeline) => (
  <>
    {people.length + clients.length > 0 && (
      <div className="parts">
        {people.length > 0 && <People people={people} />}
        {clients.length > 0 && <Clients clients={clients} />}
      </div>
    )}
    {people.length === 1 && people[0] && <Wallets user_id={people[0].user_id} />}
    {names.length > 0 && (
      <p className="names">
        <span className="soft">Also known as</span>
        {names.map((name) => (
          <Ident key={name} id={name} search />
        ))}
      </p>
    )}
    {moments.length > 0 && <Moments moments={moments} />}
  </>
);

function Moments({ moments }: Pick<Timeline, 'moments'>) {
  const { kinds } = useSearch({ from: '/timeline' });
  const chosen = kinds?.split(',') ?? [];
  const shown = moments.filter(({ what }) => chosen.length === 0 || chosen.includes(what));
  const days = [...Map.groupBy(shown, ({ at }) => dayOf(at))];
  return (
    <Part title="What has happened">
      <Filter moments={moments} chosen={chosen} />
      {days.map(([day, its]) => (
        <section key={day} className="day">
          <h3>
            {day} <span className="soft">UTC</span>
          </h3>
          <ol className="moments">
            {its.map((moment) => (
              <MomentItem key={JSON.stringify(moment)} moment={moment} />
            ))}
          </ol>
        </section>
      ))}
    </Part>
  );
}

interface FilterProps {
  readonly moments: readonly Moment[];
  readonly chosen: readonly string[];
}

/** Boxes for the kinds that occur; none ticked shows all. */
function Filter({ moments, chosen }: FilterProps) {
  const navigate = useNavigate();
  const { q } = useSearch({ from: '/timeline' });
  const counted = KINDS.map(
    (kind) => [kind, moments.filter(({ what }) => what === kind).length] as const,
  );
  const there = counted.filter(([, count]) => count > 0);
  if (there.length < 2) return null;
  const toggle = (kind: string) => {
    const next = chosen.includes(kind) ? chosen.filter((one) => one !== kind) : [...chosen, kind];
    void navigate({
      to: '/timeline',
      search: { q, ...(next.length > 0 && { kinds: next.join(',') }) },
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <fieldset className="chips">
      <legend className="unseen">Only of these kinds</legend>
      {there.map(([kind, count]) => (
        <label key={kind} className={`chip ${kind}`}>
          <input type="checkbox" checked={chosen.includes(kind)} onChange={() => toggle(kind)} />
          {kind} <span className="soft">{count}</span>
        </label>
      ))}
    </fieldset>
  );
}
