import type { Work } from '../shapes.ts';
import { Part } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { lasting } from '../ui/when.tsx';
import { InDoubtTable } from './doubt.tsx';

const number = <R,>(head: string, of: (row: R) => number): Column<R> => ({
  head,
  cell: (row) => of(row) || <span className="soft">0</span>,
  isNumber: true,
});
type One<L extends 'queues' | 'flows'> = Work[L][number];
const oldest = { head: 'Oldest', isNumber: true } as const;

interface Counted {
  readonly open: number;
  readonly stalled: number;
  readonly oldest_s: number;
}
const COUNTS: readonly Column<Counted>[] = [
  number('Open', ({ open }) => open),
  number('Stalled', ({ stalled }) => stalled),
  { ...oldest, cell: ({ oldest_s }) => lasting(oldest_s) },
];

/** Work that continues by itself. */
export const UnderWay = ({
  work: { queues, effects, in_doubt, inbox, flows },
  now,
}: {
  work: Work;
  now: string;
}) => (
  <div className="parts">
    <Part title="Queues">
      <Table
        label="Jobs that are not finished, by queue"
        rows={queues}
        keyOf={({ name }) => name}
        empty="No job waits."
        columns={[
          { head: 'Queue', cell: ({ name }) => name },
          number('Due', ({ due }: One<'queues'>) => due),
          number('Active', ({ active }: One<'queues'>) => active),
          number('Retrying', ({ retrying }: One<'queues'>) => retrying),
          number('Later', ({ delayed }: One<'queues'>) => delayed),
          { ...oldest, cell: ({ oldest_s }) => lasting(oldest_s) },
        ]}
      />
    </Part>
    <Part title="Effects">
      <Table
        label="Calls to others whose outcome is not known, by kind"
        rows={effects}
        keyOf={({ kind }) => kind}
        empty="No call is in doubt."
        columns={[{ head: 'Kind', cell: ({ kind }) => kind }, ...COUNTS]}
      />
      {in_doubt.length > 0 && <InDoubtTable rows={in_doubt} now={now} />}
    </Part>
    <Part title="Inbox">
      <Table
        label="What came in and is not handled, by sender"
        rows={inbox}
        keyOf={({ source }) => source}
        empty="All that came in is handled."
        columns={[{ head: 'Sender', cell: ({ source }) => source }, ...COUNTS]}
      />
    </Part>
    <Part title="Flows">
      <Table
        label="Flows under way, by type and state"
        rows={flows}
        keyOf={({ type, state }) => `${type} ${state}`}
        empty="No flow is under way."
        columns={[
          { head: 'Flow', cell: ({ type }) => type },
          { head: 'State', cell: ({ state }) => state },
          number('Count', ({ count }: One<'flows'>) => count),
          number('Stalled', ({ stalled }: One<'flows'>) => stalled),
        ]}
      />
    </Part>
  </div>
);
