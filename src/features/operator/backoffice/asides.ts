import { type RequestLog, requestsCalled } from '#features/accounts/request-logs/request-logs.ts';
import type { Moment } from '#features/messaging/payments/payments.ts';
import type { Db } from '#kernel/db/db.ts';
import { type Asset, format } from '#kernel/money/money.ts';
import { type Break, breaksCalled } from '#kernel/reconciliation/break-store.ts';

/** An entry of the desk's timeline: what a payment has, a request, or a difference between two books. */
export type DeskMoment = Omit<Moment, 'what'> & {
  readonly what: Moment['what'] | 'request' | 'difference';
};

/** Entries of a timeline that no payment has, and the names of what they are about. */
interface Asides {
  readonly moments: readonly DeskMoment[];
  readonly names: readonly string[];
}

const MOST = 20;

/** Requests with that id, which every answer has, and differences of that reference between two books. */
export async function asidesOf(db: Db, name: string): Promise<Asides> {
  const requests = await requestsCalled(db, name, MOST);
  const breaks = await breaksCalled(db, name, MOST);
  return {
    moments: [...requests.map(ofRequest), ...breaks.map(ofBreak)],
    names: requests.flatMap(({ object_id }) => object_id ?? []),
  };
}

const ofRequest = ({ at, method, path, request_id, ...line }: RequestLog): DeskMoment => ({
  at,
  what: 'request',
  type: `${method} ${path}`,
  about: `request ${request_id}`,
  details: {
    status: line.status,
    error: line.error_code,
    ms: Math.round(line.ms),
    user_id: line.user_id,
    client_id: line.client_id,
    key: line.key_prefix,
    network: line.network,
  },
});

function ofBreak({ found_at, cause, rail, reference, ...one }: Break): DeskMoment {
  const asset = one.asset as Asset;
  const amount = (units: bigint | null) => (units === null ? null : format({ asset, units }));
  return {
    at: found_at,
    what: 'difference',
    type: `${rail} ${cause}`,
    about: `${one.kind} ${reference}`,
    details: {
      state: one.state,
      ours: amount(one.our_units),
      theirs: amount(one.their_units),
      asset,
      note: one.note,
    },
  };
}
