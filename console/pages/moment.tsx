import { amountOf } from '../amount.ts';
import type { Moment } from '../shapes.ts';
import { Ident } from '../ui/ident.tsx';
import { Details } from '../ui/json.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { timeOf } from '../ui/when.tsx';

/** One thing that has happened: when to the millisecond, what, to which object, and all that is known of it. */
export const MomentItem = ({ moment: { at, what, type, about, details } }: { moment: Moment }) => (
  <li className={`moment ${what}`}>
    <time dateTime={at}>{timeOf(at)}</time>
    <div>
      <p>
        <span className="kind">{what}</span> <strong>{type}</strong>
      </p>
      <About text={about} />
      {what === 'posting' ? (
        <Entries of={details as Posted} />
      ) : (
        <Details value={details} also={told(details)} />
      )}
    </div>
  </li>
);

/** Of what an event tells of its object, what one wants to see at once. */
function told(details: unknown): object {
  const { data = {} } = (details ?? {}) as { data?: Readonly<Record<string, unknown>> };
  return Object.fromEntries(
    TOLD.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])),
  );
}
const TOLD = ['status', 'amount', 'currency', 'asset', 'error', 'reason'];

/** `payment TOPUP-1`: what it is and its id; of a posting its key alone. */
function About({ text }: { text: string }) {
  const [id = '', ...before] = text.split(' ').reverse();
  return (
    <p className="about">
      {before.length > 0 && <span className="soft">{before.reverse().join(' ')}</span>}
      <Ident id={id} search />
    </p>
  );
}

interface Posted {
  readonly entries: readonly Entry[];
}
interface Entry {
  readonly account: string;
  readonly asset: string;
  readonly amount: string;
  readonly held: string;
}

/** Most postings hold nothing, nor give back what was held. */
const HELD: Column<Entry> = {
  head: 'Held',
  isNumber: true,
  cell: ({ held, asset }) => amountOf(held, asset),
};

const Entries = ({ of: { entries } }: { of: Posted }) => (
  <Table
    label="Entries"
    rows={entries.map((entry, place) => ({ ...entry, place }))}
    keyOf={({ place }) => place}
    empty="No entry."
    columns={[
      { head: 'Account', cell: ({ account }) => account },
      { head: 'Amount', isNumber: true, cell: ({ amount, asset }) => amountOf(amount, asset) },
      ...(entries.some(({ held }) => held !== '0') ? [HELD] : []),
    ]}
  />
);
