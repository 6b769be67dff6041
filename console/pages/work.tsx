import { Link } from '@tanstack/react-router';
import type { Adjustment } from '../adjustment-shapes.ts';
import { SOON_MS, useAsk, useChange } from '../data.ts';
import { useProposed } from '../proposed.ts';
import type { DeadLetter, Work } from '../shapes.ts';
import { Act } from '../ui/act.tsx';
import { Icon } from '../ui/icon.tsx';
import { Ident } from '../ui/ident.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Page, Part } from '../ui/page.tsx';
import { Problem } from '../ui/problem.tsx';
import { Table } from '../ui/table.tsx';
import { lasting, When } from '../ui/when.tsx';
import { Adjustments } from './adjustments.tsx';
import { Discrepancies, InDoubtTable, TakenTwice } from './doubt.tsx';
import { TryAgain } from './try-again.tsx';
import { UnderWay } from './under-way.tsx';

/** Work that waits for a person first, then all work in flight. */
export function WorkPage() {
  const work = useAsk('GET /desk/work', {}, { every: SOON_MS });
  const { rows, error, refetch } = useProposed();
  return (
    <Page title="Work">
      <Loaded of={work}>
        {({ data, timestamp }) => (
          <>
            {error && <Problem error={error} onRetry={() => refetch()} />}
            <Waiting work={data} proposed={rows} now={timestamp} />
            <UnderWay work={data} now={timestamp} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface ForPeople {
  readonly work: Work;
  /** Nothing until it is known: the rest is shown all the same. */
  readonly proposed: readonly Adjustment[] | undefined;
  readonly now: string;
}

function Waiting({ work, proposed, now }: ForPeople) {
  const { stalled, dead_letters, breaks, unmatched, returned_twice, discrepancies } = work;
  const overdue = work.in_doubt.filter(({ is_overdue }) => is_overdue);
  const lists = [stalled, dead_letters, breaks, unmatched, overdue, returned_twice, discrepancies];
  const known = [...lists, proposed ?? []];
  const waits = known.reduce((sum, { length }) => sum + length, 0);
  if (waits === 0 && proposed === undefined) return null;
  if (waits === 0)
    return (
      <p className="calm">
        <Icon name="done" />
        Nothing waits for a person.
      </p>
    );
  return (
    <section className="waiting" aria-label="Waits for a person">
      {overdue.length > 0 && (
        <Part title="In doubt for too long">
          <InDoubtTable rows={overdue} now={now} />
        </Part>
      )}
      {returned_twice.length > 0 && <TakenTwice rows={returned_twice} now={now} />}
      {discrepancies.length > 0 && <Discrepancies rows={discrepancies} now={now} />}
      {stalled.length > 0 && (
        <Part title="Stalled">
          <Table
            label="What goes on only when a person says so"
            rows={stalled}
            keyOf={({ what, kind, id }) => `${what} ${kind} ${id}`}
            empty=""
            columns={[
              { head: 'What', cell: ({ what, kind }) => <Named name={kind} what={what} /> },
              { head: 'Id', cell: ({ id }) => <Ident id={id} search /> },
              { head: 'Since', cell: ({ since }) => <When at={since} now={now} /> },
              { head: 'Last error', cell: ({ error }) => <Fault text={error} /> },
              { head: 'Action', isAction: true, cell: (one) => <TryAgain one={one} /> },
            ]}
          />
        </Part>
      )}
      {dead_letters.length > 0 && (
        <Part title="Given up">
          <Table
            label="Jobs that are tried no more"
            rows={dead_letters}
            keyOf={({ id }) => id}
            empty=""
            columns={[
              { head: 'Job', cell: ({ name, id }) => <Job name={name} id={id} /> },
              { head: 'Given up', cell: ({ died_at }) => <When at={died_at} now={now} /> },
              { head: 'Tries', cell: ({ attempts }) => attempts, isNumber: true },
              { head: 'Last error', cell: ({ error }) => <Fault text={error} /> },
              { head: 'Action', isAction: true, cell: (letter) => <Redrive letter={letter} /> },
            ]}
          />
        </Part>
      )}
      {breaks.length > 0 && <Breaks breaks={breaks} />}
      {unmatched.length > 0 && <Unmatched unmatched={unmatched} />}
      {proposed !== undefined && proposed.length > 0 && (
        <Part title="For a second person">
          <Adjustments rows={proposed} label="Corrections that one has proposed" empty="" />
        </Part>
      )}
    </section>
  );
}

const Named = ({ name, what }: { name: string; what: string }) => (
  <>
    <strong>{name}</strong> <span className="soft">{what}</span>
  </>
);

const Job = ({ name, id }: { name: string; id: string }) => (
  <>
    <strong>{name}</strong>
    <br />
    <Ident id={id} />
  </>
);

const Fault = ({ text }: { text: string | null }) =>
  text === null ? <span className="soft">none</span> : <span className="fault">{text}</span>;

const Unmatched = ({ unmatched }: Pick<Work, 'unmatched'>) => (
  <Part title="Money that pays nothing">
    <Table
      label="Payments that are owed to their payers: GET /idrtoken/payments"
      rows={unmatched}
      keyOf={({ rail, reason }) => `${rail} ${reason}`}
      empty=""
      columns={[
        { head: 'Rail', cell: ({ rail }) => <strong>{rail}</strong> },
        { head: 'Reason', cell: ({ reason }) => reason },
        { head: 'Open', cell: ({ open }) => open, isNumber: true },
      ]}
    />
  </Part>
);

const Breaks = ({ breaks }: Pick<Work, 'breaks'>) => (
  <Part title="Books that differ">
    <Table
      label="Differences between our books and others’ that nobody has explained"
      rows={breaks}
      keyOf={({ rail, cause }) => `${rail} ${cause}`}
      empty=""
      columns={[
        { head: 'Rail', cell: ({ rail }) => <strong>{rail}</strong> },
        { head: 'Cause', cell: ({ cause }) => cause },
        { head: 'Open', cell: ({ open }) => open, isNumber: true },
        { head: 'Oldest', cell: ({ oldest_s }) => lasting(oldest_s), isNumber: true },
        {
          head: 'Action',
          isAction: true,
          cell: ({ rail }) => (
            <Link className="button plain" to="/reconciliation" search={{ state: 'OPEN', rail }}>
              Look at them
            </Link>
          ),
        },
      ]}
    />
  </Part>
);

function Redrive({ letter: { id, name } }: { letter: DeadLetter }) {
  const { mutateAsync } = useChange('POST /desk/dead-letters/{id}/redrive');
  return (
    <Act
      verb="Redrive"
      title={`Redrive ${name}?`}
      done={`${name} is tried again`}
      onDo={() => mutateAsync({ params: { id } })}
    >
      <p>
        The job <code>{id}</code> gets another full round of attempts. It fails again where its
        cause is still there.
      </p>
    </Act>
  );
}
