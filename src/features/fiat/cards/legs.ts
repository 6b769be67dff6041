import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { dryRunNow } from '#kernel/dry-run.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { hold, type Leg, type Operation, release, withFee } from '#kernel/ledger/ledger.ts';
import type { CardTransaction } from './store.ts';

/** The platform's accounts for card money in one currency. */
export interface CardAccounts {
  /** The network's debt to us; below zero by the money that came in. */
  readonly settlement: number;
  readonly fees: number;
  /** Users' debts after charge-backs that their wallet could not pay; below zero by that. */
  readonly owed: number;
  /** Money that the network has taken a second time, to be claimed from it; below zero by that. */
  readonly disputed: number;
}

export type AccountsOf = (currency: Fiat) => Promise<CardAccounts>;

/** Opens them the first time and keeps their numbers. Not within a transaction that may be undone. */
export function cardAccounts(db: Db): AccountsOf {
  const known = new Map<Fiat, CardAccounts>();
  return async (currency) => {
    const kept = known.get(currency);
    if (kept) return kept;
    const opened = {
      settlement: await openAccount(db, houseAccount('card-settlement', currency)),
      fees: await openAccount(db, houseAccount('card-fees', currency)),
      owed: await openAccount(db, houseAccount('card-owed', currency)),
      disputed: await openAccount(db, houseAccount('card-disputed', currency)),
    };
    // What a dry run has opened is undone.
    if (!dryRunNow()) known.set(currency, opened);
    return opened;
  };
}

export type BookedCharge = Pick<
  CardTransaction,
  'type' | 'reference_id' | 'account_id' | 'amount' | 'platform_fee' | 'net_amount' | 'flow'
>;

/** Money that leaves a wallet is held before the network is called. */
export const needsHold = ({ type }: Pick<CardTransaction, 'type'>): boolean => type !== 'TOPUP';

/** A flow that gives money back has set it aside before, and decides about it where the network refuses. */
export const holdsItself = (row: Pick<CardTransaction, 'type' | 'flow'>): boolean =>
  needsHold(row) && row.flow === null;

export const holdOperation = (booked: BookedCharge): Operation => ({
  key: `card:${booked.reference_id}:hold`,
  kind: 'card-hold',
  legs: hold(booked.account_id, booked.net_amount),
});

export const releaseOperation = (booked: BookedCharge): Operation => ({
  key: `card:${booked.reference_id}:release`,
  kind: 'card-release',
  legs: release(booked.account_id, booked.net_amount),
});

const KINDS = { TOPUP: 'card-top-up', REFUND: 'card-refund', PUSH: 'card-push' } as const;

/** The posting of a settled transaction; `held` when the wallet's part was held before. */
export function settlementOperation(
  booked: BookedCharge,
  accounts: CardAccounts,
  held: boolean,
): Operation {
  return {
    key: `card:${booked.reference_id}`,
    kind: KINDS[booked.type],
    // What a flow has pulled, or gives back, is set aside under its name.
    ...(booked.flow !== null && { meta: { hold: booked.flow } }),
    legs: booked.type === 'TOPUP' ? incoming(booked, accounts) : outgoing(booked, accounts, held),
  };
}

function incoming(booked: BookedCharge, { settlement, fees }: CardAccounts): Leg[] {
  const { account_id: to, amount, platform_fee: fee, flow } = booked;
  if (flow === null) return withFee({ from: settlement, to, fees, amount, fee });
  // It is the flow's: the user has it, and cannot spend it on anything else.
  return [
    { account: settlement, amount: -amount },
    { account: to, amount, held: amount },
  ];
}

function outgoing(booked: BookedCharge, { settlement, fees }: CardAccounts, held: boolean): Leg[] {
  const { account_id, amount, net_amount, platform_fee } = booked;
  return [
    { account: account_id, amount: -net_amount, ...(held ? { held: -net_amount } : {}) },
    ...(platform_fee > 0n ? [{ account: fees, amount: -platform_fee }] : []),
    { account: settlement, amount },
  ];
}
