import { Type } from 'typebox';
import type { SentTransaction } from '#chains/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { named } from '#kernel/http/declare/named.ts';
import { explained, oneOfWords, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';
import type { ListedPayment } from '#kernel/payment-list/payment-list-store.ts';
import { eventsOfObjects } from './moment-store.ts';
import { type Moment, type MomentDeps, momentsOf } from './moments.ts';
import { decimalOf } from './presenters.ts';

const ACTORS = ['you', 'another', 'platform', 'provider', 'chain'] as const;

/** An entry of a payment's timeline, for its owner: no payloads, and no names of others. */
export const PaymentMoment = named('PaymentMoment', {
  at: Timestamp,
  by: explained(
    oneOfWords(ACTORS),
    '`you`: the caller; `another`: another person or key; `provider`: a call to one or a message from one',
  ),
  what: explained(Type.String(), 'An event, a call, a posting, a step. The list is open'),
  text: Type.String(),
  status: TextOrNull,
  amount: explained(TextOrNull, 'What a posting has added to the owner’s wallet'),
  hash: TextOrNull,
  explorer_url: TextOrNull,
});

export interface TimelineWords {
  /** What an event type says, in a sentence. */
  summary(type: string): string | undefined;
  explorerUrl(transaction: Pick<SentTransaction, 'chain_id' | 'hash'>): string | null;
}

export interface TimelineReader {
  readonly user_id: number;
  readonly operator: boolean;
}

/** What has become of a payment, oldest first. */
export async function paymentTimeline(
  db: Db,
  deps: MomentDeps & TimelineWords,
  payment: ListedPayment,
  reader: TimelineReader,
) {
  // A short number is the name of other things, too.
  const names = [payment.object_id, payment.our_reference, payment.work_id].filter(
    (name) => name !== null && !NUMBER.test(name),
  ) as string[];
  const seen = seenBy(deps, payment, reader);
  const numbered = NUMBER.test(payment.object_id)
    ? await eventsOfObjects(db, [payment.object_type], [payment.object_id])
    : [];
  const own = numbered.filter(seen.isSeen);
  const { moments } = await momentsOf(db, seen, [...new Set(names)], own);
  return moments.map((moment) => shown(moment, deps, payment, reader));
}

const NUMBER = /^\d+$/;

/** What the operator’s people have done to it is the operator’s to read. */
const seenBy = <D extends MomentDeps>(
  deps: D,
  { client_id }: ListedPayment,
  reader: TimelineReader,
) => ({
  ...deps,
  isSeen: (event: { readonly client_id: number }) =>
    reader.operator || event.client_id === client_id,
});

function shown(
  moment: Moment,
  deps: TimelineWords,
  payment: ListedPayment,
  reader: TimelineReader,
) {
  const { at, what, type, details } = moment;
  const none = { status: null, amount: null, hash: null, explorer_url: null };
  const known = (details ?? {}) as Details;
  switch (what) {
    case 'event':
      return {
        ...none,
        at,
        by: actorOf(known.actor, reader),
        what: type,
        text: deps.summary(type) ?? type,
        status: typeof known.data?.status === 'string' ? known.data.status : null,
      };
    case 'call':
      return { ...none, at, by: 'provider' as const, what, text: CALLS(type, known.outcome) };
    case 'inbound':
      return {
        ...none,
        at,
        by: 'provider' as const,
        what,
        text: 'The provider has sent a message',
      };
    case 'step':
      return { ...none, at, by: 'platform' as const, what, text: `The flow has come to: ${type}` };
    case 'posting':
      return {
        ...none,
        at,
        by: 'platform' as const,
        what,
        text: `Booked: ${type}`,
        amount: addedTo(payment, known.entries ?? []),
      };
    case 'transaction': {
      const { chain_id = 0, hash = '' } = known;
      const explorer_url = deps.explorerUrl({ chain_id, hash });
      return {
        ...none,
        at,
        by: 'chain' as const,
        what,
        text: `On chain: ${type}`,
        hash,
        explorer_url,
      };
    }
  }
}

interface Details {
  readonly actor?: string;
  readonly data?: { readonly status?: unknown };
  readonly outcome?: unknown;
  readonly entries?: readonly {
    readonly account: string;
    readonly asset: string;
    readonly amount: string;
  }[];
  readonly chain_id?: number;
  readonly hash?: string;
}

/** Of a call what was done, and what is known of it since. */
const CALLS = (step: string, outcome: unknown): string =>
  typeof outcome === 'string' ? `Provider, ${step}: ${outcome}` : `Provider, ${step}`;

function actorOf(actor: string | undefined, reader: TimelineReader) {
  if (actor === undefined || actor === 'system') return 'platform' as const;
  return actor === `user:${reader.user_id}` ? ('you' as const) : ('another' as const);
}

/** The owner’s entries in the payment’s currency; null where there are none. */
function addedTo(
  { user_id, currency, scale }: ListedPayment,
  entries: NonNullable<Details['entries']>,
): string | null {
  const own = entries.filter(
    ({ account, asset }) => account.startsWith(`user:${user_id} `) && asset === currency,
  );
  if (user_id === null || own.length === 0) return null;
  return decimalOf(
    own.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
    scale,
  );
}
