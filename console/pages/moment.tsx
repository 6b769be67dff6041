import { amountOf } from '../amount.ts';
import type { Moment } from '../shapes.ts';
import { Ident } from '../ui/ident.tsx';
import { Details } from '../ui/json.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { timeOf } from '../ui/when.tsx';

/** One entry of a timeline: its time to the millisecond, kind, object, and all its details. */
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

/** The fields of an event that matter at once. */
function told(details: unknown): object {
  const { data = {} } = (details ?? {}) as { data?: Readonly<Record<string, unknown>> };
  return Object.fromEntries(
    TOLD.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])),
  );
}
const TOLD = ['status', 'amount', 'currency', 'asset', 'error', 'reason'];

/** `payment TOPUP-1`: type and id; of a posting its key alone. */
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
