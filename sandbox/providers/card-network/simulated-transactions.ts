import { createHash, randomUUID } from 'node:crypto';
import { format, money } from '#kernel/money/money.ts';
import { APPROVED } from '#providers/card-network/action-codes.ts';
import { MERCHANT } from '#providers/card-network/merchant.ts';
import { currencyOf, dateTime } from '#providers/card-network/wire.ts';
import type { World } from '#sandbox/simulator.ts';
import { SIMULATED_CARD_PROVIDER } from './simulated-issuer.ts';

export const TRANSACTION_KINDS = [
  'pull',
  'push',
  'reversal',
  'chargeback',
  'representment',
] as const;

/**
 * One transaction as the simulated network remembers it; of the card only what does not identify
 * its holder.
 */
export interface SimulatedCardTransaction {
  readonly id: string;
  readonly kind: (typeof TRANSACTION_KINDS)[number];
  readonly transactionIdentifier: string;
  readonly acquiringBin: string;
  readonly rrn: string;
  readonly stan: string;
  readonly terminalId: string;
  readonly last4: string;
  readonly cardToken: string;
  readonly amount: string;
  readonly currency: string;
  readonly actionCode: string;
  readonly approvalCode: string;
  readonly transmittedAt: string;
  readonly status: string;
  /** Of a pull, how much its cardholder's bank has charged back by now. */
  readonly chargedBack?: string;
  /** Of a reversal or charge-back, the pull that it is of. */
  readonly original?: string;
  /** Of a pull, the one reversal that may give it back. */
  readonly reversedBy?: string;
}

export type CardRequest = Pick<
  SimulatedCardTransaction,
  | 'kind'
  | 'acquiringBin'
  | 'rrn'
  | 'stan'
  | 'terminalId'
  | 'last4'
  | 'cardToken'
  | 'amount'
  | 'currency'
> & { readonly original?: string };

const KIND = 'transaction';

type Name = Pick<CardRequest, 'acquiringBin' | 'rrn' | 'stan' | 'terminalId'>;

/** Terminals number what they ask for each by itself; what the first asks is known without it. */
export const idOf = ({ acquiringBin, rrn, stan, terminalId }: Name) =>
  terminalId === MERCHANT.terminalId
    ? `${acquiringBin}.${rrn}.${stan}`
    : `${acquiringBin}.${rrn}.${stan}.${terminalId}`;

/**
 * Answers the one transaction of that name, deciding it only the first time; nothing when the name
 * already stands for another transaction. `fresh` says whether this call made it.
 */
export async function transactOnce(
  world: World,
  asked: CardRequest,
  decide: (id: string) => Promise<string>,
): Promise<{ transaction: SimulatedCardTransaction; fresh: boolean } | undefined> {
  const { records, clock } = world;
  const id = idOf(asked);
  const known = await records.get<SimulatedCardTransaction>(SIMULATED_CARD_PROVIDER, KIND, id);
  if (known) return same(known, asked) ? { transaction: known, fresh: false } : undefined;
  const actionCode = await decide(id);
  const transaction: SimulatedCardTransaction = {
    ...asked,
    id,
    transactionIdentifier: digitsOf(`identifier ${id}`, 15),
    actionCode,
    approvalCode: actionCode === APPROVED ? digitsOf(`approval ${id}`, 6) : '',
    transmittedAt: dateTime(clock.now()),
    status: actionCode === APPROVED ? 'COMPLETED' : 'FAILED',
  };
  if (await records.insert(SIMULATED_CARD_PROVIDER, KIND, id, transaction))
    return { transaction, fresh: true };
  return transactOnce(world, asked, decide);
}

/**
 * What a transaction changes of another one happens with it or not at all: a claimed pull without its
 * reversal could never be reversed.
 */
export const exclusively = <T>(
  world: World,
  asked: CardRequest,
  work: (held: World) => Promise<T>,
): Promise<T> =>
  world.records.exclusively(SIMULATED_CARD_PROVIDER, KIND, idOf(asked), (records) =>
    work({ ...world, records }),
  );

/** Whether `reversal` is the one that may give the pull back; of two at once one is. */
export async function claimReversal(
  world: World,
  pull: SimulatedCardTransaction,
  reversal: string,
): Promise<boolean> {
  const claimed = await world.records.update<SimulatedCardTransaction>(
    SIMULATED_CARD_PROVIDER,
    KIND,
    pull.id,
    (now) =>
      now.reversedBy === undefined || now.reversedBy === reversal
        ? { ...now, reversedBy: reversal }
        : undefined,
  );
  return claimed !== undefined;
}

export const findSimulatedCardByIdentifier = ({ records }: World, transactionIdentifier: string) =>
  records.find<SimulatedCardTransaction>(
    SIMULATED_CARD_PROVIDER,
    KIND,
    'transactionIdentifier',
    transactionIdentifier,
  );

export const findByName = ({ records }: World, name: Name) =>
  records.get<SimulatedCardTransaction>(SIMULATED_CARD_PROVIDER, KIND, idOf(name));

export interface CardFilter {
  readonly limit?: number;
  /** The id of one: only those that came earlier. */
  readonly before?: string;
  readonly kind?: SimulatedCardTransaction['kind'];
  readonly rrn?: string;
}

/** Newest first. Nothing when there is none to come `before`: an empty page would look like the end. */
export async function listTransactions(
  { records }: World,
  { limit, before, ...where }: CardFilter,
): Promise<SimulatedCardTransaction[] | undefined> {
  if (before !== undefined && !(await records.get(SIMULATED_CARD_PROVIDER, KIND, before)))
    return undefined;
  return records.list<SimulatedCardTransaction>(SIMULATED_CARD_PROVIDER, KIND, {
    where,
    ...(limit !== undefined && { limit }),
    ...(before !== undefined && { before }),
  });
}

/**
 * Nothing when the network knows no such transaction. CHARGEBACK takes `amount` of a pull, or all of it, from us; any other
 * word for one that was charged back gives that again. Each is a record of its own, as the network clears it.
 */
export async function setStatus(
  world: World,
  transactionIdentifier: string,
  status: string,
  amount?: string,
): Promise<SimulatedCardTransaction | undefined> {
  const named = await findSimulatedCardByIdentifier(world, transactionIdentifier);
  if (named === undefined) return undefined;
  // Of two at once the second sees what the first has taken.
  return world.records.exclusively(
    SIMULATED_CARD_PROVIDER,
    KIND,
    `${named.id} status`,
    async (records) => {
      const held = { ...world, records };
      const found =
        (await records.get<SimulatedCardTransaction>(SIMULATED_CARD_PROVIDER, KIND, named.id)) ??
        named;
      const isTaken = found.kind === 'pull' && status === 'CHARGEBACK';
      const chargedBack = isTaken ? (amount ?? found.amount) : '0';
      await clearDifference(held, found, chargedBack);
      return records.update<SimulatedCardTransaction>(
        SIMULATED_CARD_PROVIDER,
        KIND,
        found.id,
        (now) => ({
          ...now,
          status,
          ...(now.kind === 'pull' && { chargedBack }),
        }),
      );
    },
  );
}

/** Cleared money of a dispute, under the pull's own number. */
async function clearDifference(
  world: World,
  pull: SimulatedCardTransaction,
  taken: string,
): Promise<void> {
  const { currency, chargedBack = '0' } = pull;
  const more =
    (simulatedCardUnitsOf(taken, currency) ?? 0n) -
    (simulatedCardUnitsOf(chargedBack, currency) ?? 0n);
  const asset = currencyOf(currency);
  if (asset === undefined || more === 0n) return;
  const id = `${pull.id}.${randomUUID()}`;
  await world.records.insert(SIMULATED_CARD_PROVIDER, KIND, id, {
    ...pull,
    id,
    kind: more > 0n ? 'chargeback' : 'representment',
    transactionIdentifier: digitsOf(`identifier ${id}`, 15),
    amount: format({ asset, units: more > 0n ? more : -more }),
    original: pull.transactionIdentifier,
    transmittedAt: dateTime(world.clock.now()),
    status: 'COMPLETED',
  });
}

/** An amount in units, or nothing when its currency has fewer decimals. */
export function simulatedCardUnitsOf(amount: string, currency: string): bigint | undefined {
  const asset = currencyOf(currency);
  if (asset === undefined) return undefined;
  try {
    return money(asset, amount).units;
  } catch {
    return undefined;
  }
}

function same(known: SimulatedCardTransaction, asked: CardRequest): boolean {
  return (
    known.kind === asked.kind &&
    known.cardToken === asked.cardToken &&
    known.currency === asked.currency &&
    known.amount === asked.amount &&
    known.original === asked.original
  );
}

/** As random as a hash, and the same again for the same transaction; never starts with a zero. */
function digitsOf(text: string, length: number): string {
  const number = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
  const first = 10n ** BigInt(length - 1);
  return (first + (number % (9n * first))).toString();
}
