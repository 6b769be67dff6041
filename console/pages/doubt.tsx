import { money } from '../amount.ts';
import type { Discrepant, InDoubt, ReturnedTwice } from '../doubt-shapes.ts';
import { Ident } from '../ui/ident.tsx';
import { Part } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';

/** Calls whose outcome is unknown, each by its id. */
export const InDoubtTable = ({ rows, now }: { rows: readonly InDoubt[]; now: string }) => (
  <Table
    label="Calls to others whose outcome is not known, oldest first"
    rows={rows}
    keyOf={({ kind, id }) => `${kind} ${id}`}
    empty="No call is in doubt."
    columns={[
      { head: 'Kind', cell: ({ kind }) => kind },
      { head: 'Id', cell: ({ id }) => <Ident id={id} search /> },
      { head: 'Since', cell: ({ since }) => <When at={since} now={now} /> },
      { head: 'Calls', cell: ({ calls }) => calls, isNumber: true },
      { head: 'Look-ups', cell: ({ look_ups }) => look_ups, isNumber: true },
      { head: 'Last answer', cell: ({ note }) => note ?? '' },
    ]}
  />
);

/** Payments that the other side has taken back although we had returned them. */
export const TakenTwice = ({ rows, now }: { rows: readonly ReturnedTwice[]; now: string }) => (
  <Part title="Taken back twice">
    <Table
      label="Money that a network took back, or a bank was paid, after it had gone back"
      rows={rows}
      keyOf={({ payment }) => payment}
      empty=""
      columns={[
        { head: 'Payment', cell: ({ payment }) => <Ident id={payment} search /> },
        { head: 'Amount', cell: ({ amount, currency }) => money(amount, currency), isNumber: true },
        { head: 'Since', cell: ({ since }) => <When at={since} now={now} /> },
      ]}
    />
  </Part>
);

const CAUSES: Readonly<Record<Discrepant['cause'], string>> = {
  ANOTHER_SUM: 'Another sum than was ordered',
  REVERSED_AFTER_REFUND: 'Reversed after our refund: POST /card-checkout/reversals/decide',
};

/** Payments of which the other side reports another sum than our books. */
export const Discrepancies = ({ rows, now }: { rows: readonly Discrepant[]; now: string }) => (
  <Part title="Another sum reported">
    <Table
      label="Payments of which another side reports another sum than our books"
      rows={rows}
      keyOf={({ kind, id }) => `${kind} ${id}`}
      empty=""
      columns={[
        { head: 'Cause', cell: ({ cause }) => CAUSES[cause] },
        { head: 'Kind', cell: ({ kind }) => kind },
        { head: 'Id', cell: ({ id }) => <Ident id={id} search /> },
        { head: 'Ours', cell: ({ ours, currency }) => `${ours} ${currency}`, isNumber: true },
        { head: 'Theirs', cell: ({ theirs, currency }) => `${theirs} ${currency}`, isNumber: true },
        { head: 'Since', cell: ({ since }) => <When at={since} now={now} /> },
      ]}
    />
  </Part>
);
