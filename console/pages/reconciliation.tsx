import { useNavigate, useSearch } from '@tanstack/react-router';
import { money } from '../amount.ts';
import type { Break, BreakState, Rail } from '../break-shapes.ts';
import { SOON_MS, useAsk, useChange, usePages } from '../data.ts';
import { Act } from '../ui/act.tsx';
import { Area, Select } from '../ui/field.tsx';
import { Ident } from '../ui/ident.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { More } from '../ui/more.tsx';
import { Page, Part } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { lasting, When } from '../ui/when.tsx';

const STATES = [
  ['', 'All'],
  ['OPEN', 'Open'],
  ['EXPLAINED', 'Explained'],
  ['RESOLVED', 'Resolved'],
] as const;

/** The progress of each rail, and the differences between our books and the other side's. */
export function ReconciliationPage() {
  const { state, rail } = useSearch({ from: '/reconciliation' });
  const rails = useAsk('GET /reconciliation/breaks', { query: { limit: 1 } }, { every: SOON_MS });
  const query = { limit: 50, state: state as BreakState | undefined, rail };
  const breaks = usePages('GET /reconciliation/breaks', query, ({ data }) => data.next_before);
  return (
    <Page title="Reconciliation">
      <Part title="Rails">
        <Loaded of={rails}>{({ data }) => <Rails rails={data.rails} />}</Loaded>
      </Part>
      <Part title="Differences">
        <Filter rails={rails.data?.data.rails ?? []} />
        <Loaded of={breaks}>
          {({ pages }) => <Breaks breaks={pages.flatMap(({ data }) => data.breaks)} />}
        </Loaded>
        <More of={breaks} />
      </Part>
    </Page>
  );
}

const Rails = ({ rails }: { rails: readonly Rail[] }) => (
  <Table
    label="Rails, and how far each is compared"
    rows={rails}
    keyOf={({ rail }) => rail}
    empty="Nothing has been compared yet: it is every ten minutes."
    columns={[
      { head: 'Rail', cell: ({ rail }) => <strong>{rail}</strong> },
      { head: 'Compared until', cell: ({ compared_until }) => <When at={compared_until} /> },
      {
        head: 'Failing since',
        cell: ({ failing_since }) =>
          failing_since === null ? (
            <span className="soft">It works</span>
          ) : (
            <When at={failing_since} />
          ),
      },
      {
        head: 'Failure',
        cell: ({ failure }) => failure && <span className="fault">{failure}</span>,
      },
    ]}
  />
);

function Filter({ rails }: { rails: readonly Rail[] }) {
  const navigate = useNavigate();
  const { state, rail } = useSearch({ from: '/reconciliation' });
  const narrow = (next: Readonly<Record<string, string>>) =>
    navigate({
      to: '/reconciliation',
      search: { state, rail, ...next },
      replace: true,
      resetScroll: false,
    });
  const names = rails.map(({ rail: name }) => [name, name] as const);
  // The rail of the address has to be visible also before all names are known.
  const others =
    rail && !rails.some(({ rail: name }) => name === rail) ? [[rail, rail] as const] : [];
  return (
    <div className="filters">
      <Select
        label="State"
        value={state ?? ''}
        options={STATES}
        onChoice={(choice) => narrow({ state: choice })}
      />
      <Select
        label="Rail"
        value={rail ?? ''}
        options={[['', 'All'], ...names, ...others]}
        onChoice={(choice) => narrow({ rail: choice })}
      />
    </div>
  );
}

const Breaks = ({ breaks }: { breaks: readonly Break[] }) => (
  <Table
    label="Differences, newest first"
    rows={breaks}
    keyOf={({ break_id }) => break_id}
    empty="There is no such difference."
    columns={[
      { head: 'Rail', cell: ({ rail, kind }) => <Railed rail={rail} kind={kind} /> },
      { head: 'Reference', cell: ({ reference }) => <Ident id={reference} search /> },
      { head: 'Cause', cell: ({ cause }) => cause },
      { head: 'Ours', isNumber: true, cell: ({ our_amount, asset }) => amount(our_amount, asset) },
      {
        head: 'Theirs',
        isNumber: true,
        cell: ({ their_amount, asset }) => amount(their_amount, asset),
      },
      { head: 'Found', cell: ({ found_at }) => <When at={found_at} /> },
      { head: 'Age', isNumber: true, cell: ({ age_seconds }) => lasting(age_seconds) },
      { head: 'State', cell: (one) => <Standing one={one} /> },
      {
        head: 'Action',
        isAction: true,
        cell: (one) => one.state === 'OPEN' && <Explain one={one} />,
      },
    ]}
  />
);

const Railed = ({ rail, kind }: Pick<Break, 'rail' | 'kind'>) => (
  <>
    <strong>{rail}</strong> <span className="soft">{kind}</span>
  </>
);

const amount = (text: string | null, asset: string) =>
  text === null ? <span className="soft">missing</span> : money(text, asset);

const Standing = ({ one: { state, note } }: { one: Break }) => (
  <>
    <Tag word={state} />
    {note && <p className="soft">{note}</p>}
  </>
);

function Explain({ one: { break_id, rail, reference } }: { one: Break }) {
  const { mutateAsync } = useChange('POST /reconciliation/breaks/{break_id}/explain');
  return (
    <Act
      verb="Explain"
      title={`Explain ${rail} ${reference}`}
      done={`${reference} is explained`}
      onDo={({ note = '' }) => mutateAsync({ params: { break_id }, body: { note } })}
    >
      <p>The difference stands and is open no more. Nothing is booked.</p>
      <Area
        label="Why it is as it is"
        name="note"
        hint="Stays on record."
        maxLength={1000}
        required
      />
    </Act>
  );
}
