import { type Fiat, findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { findTransfer, type Transfer } from '#kernel/ledger/transfers.ts';
import { type Asset, format } from '#kernel/money/money.ts';
import { withinLimit, worthOf } from './limits.ts';
import { type AdjustmentActor, record } from './record.ts';
import { requireReversible } from './reversible.ts';
import { type SecondPersonRule, secondPerson } from './second-person.ts';
import { type Adjustment, insertAdjustment, isReversed, type NewAdjustment } from './store.ts';

/** The request: the fields of its kind, and none of the other's. */
export interface ProposalInput {
  readonly kind: 'reversal' | 'adjustment';
  readonly reason: string;
  readonly of?: string;
  readonly wallet_id?: number;
  readonly direction?: 'credit' | 'debit';
  readonly amount?: string;
  readonly currency?: Fiat;
}

type Facts = Pick<NewAdjustment, 'units' | 'asset' | 'entries' | 'user_id' | 'wanted'>;

export interface Proposing extends AdjustmentActor {
  readonly operation: string;
  readonly now: Date;
  readonly rule: SecondPersonRule;
}

/** Stores a proposal; no money moves before another admin approves it. */
export async function propose(
  tx: Db,
  wish: ProposalInput,
  { operation, now, rule, ...by }: Proposing,
): Promise<Adjustment> {
  const facts = await (wish.kind === 'reversal' ? reversalOf(tx, wish) : adjustmentOf(tx, wish));
  const proposed_by = by.caller.user_id;
  if (facts.user_id === proposed_by)
    throw fail('SECOND_PERSON_REQUIRED', 'An admin cannot correct a wallet of their own');
  const row = await insertAdjustment(tx, {
    adjustment_id: operation,
    reason: wish.reason.trim(),
    proposed_by,
    ...facts,
    ...secondPerson(rule, now),
    worth: worthOf(facts.asset, facts.units),
  });
  await record(tx, 'proposed', [row], { by, now });
  return row;
}

async function reversalOf(tx: Db, wish: ProposalInput): Promise<Facts> {
  const { of } = wish;
  refuseOthers(wish, ['wallet_id', 'direction', 'amount', 'currency']);
  if (of === undefined) throw lacking('of');
  const transfer = await findTransfer(tx, of);
  if (!transfer) throw fail('TRANSACTION_NOT_FOUND', 'Nothing was posted under that reference');
  const asset = requireReversible(transfer);
  if (await isReversed(tx, transfer.transfer_id)) throw alreadyReversed();
  return {
    asset,
    units: sumOf(transfer),
    user_id: userIn(transfer),
    entries: transfer.entries.map(({ owner, purpose, amount }) => ({
      account: `${owner} ${purpose}`,
      amount: format({ asset, units: -amount }),
    })),
    wanted: { kind: 'reversal', of_transfer: transfer.transfer_id, of_reference: of },
  };
}

export const alreadyReversed = () => fail('ALREADY_REVERSED', 'It was reversed before');

const sumOf = ({ entries }: Transfer): bigint =>
  entries.reduce((sum, { amount }) => (amount > 0n ? sum + amount : sum), 0n);

/** The owner of the wallet; a reversible transfer moves one user's wallet at most. */
function userIn({ entries }: Transfer): number | null {
  const [owner] = entries.flatMap(({ owner }) => /^user:(\d+)$/.exec(owner)?.[1] ?? []);
  return owner === undefined ? null : Number(owner);
}

async function adjustmentOf(tx: Db, wish: ProposalInput): Promise<Facts> {
  const { wallet_id, direction, amount, currency } = wish;
  refuseOthers(wish, ['of']);
  if (wallet_id === undefined) throw lacking('wallet_id');
  if (direction === undefined) throw lacking('direction');
  if (amount === undefined) throw lacking('amount');
  if (currency === undefined) throw lacking('currency');
  const wallet = await findFiatWallet(tx, {}, wallet_id);
  if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  if (wallet.currency !== currency)
    throw wrongField('currency', `must be the wallet’s, which is ${wallet.currency}`);
  const { units } = withinLimit(currency, amount);
  const { user_id } = wallet;
  const signed = direction === 'credit' ? units : -units;
  return {
    asset: currency,
    units,
    user_id,
    entries: [
      entry('house adjustments', currency, -signed),
      entry(`user:${user_id} wallet`, currency, signed),
    ],
    wanted: { kind: 'adjustment', wallet_id, direction },
  };
}

const entry = (account: string, asset: Asset, units: bigint) => ({
  account,
  amount: format({ asset, units }),
});

/** Refuses fields that have no meaning for the kind: half of a transfer cannot be reversed, for instance. */
function refuseOthers(wish: ProposalInput, names: readonly (keyof ProposalInput)[]): void {
  const sent = names.find((name) => wish[name] !== undefined);
  if (sent !== undefined) throw wrongField(sent, `does not go with a ${wish.kind}`);
}

const lacking = (field: keyof ProposalInput) => wrongField(field, 'is required');
