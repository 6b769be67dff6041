import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type QuotedTrade, quotedLegs } from '#features/fiat/fx/fx.ts';
import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { hold, type Operation, release } from '#kernel/ledger/ledger.ts';

/** The name of the hold of a transfer, by its id. */
export const transferHold = (object_id: string): string => `wallet-transfer:${object_id}`;

interface Paid {
  readonly object_id: string;
  readonly account_id: number;
  readonly currency: Fiat;
  readonly amount: bigint;
  readonly fee: bigint;
}

/** Sets the money and its fee aside. */
export const transferHolding = ({ object_id, account_id, amount, fee }: Paid): Operation => ({
  key: `${transferHold(object_id)}:held`,
  kind: 'wallet-transfer-hold',
  legs: hold(account_id, amount + fee),
  meta: { hold: transferHold(object_id) },
});

/** Frees it. */
export const transferRelease = ({ object_id, account_id, amount, fee }: Paid): Operation => ({
  key: `${transferHold(object_id)}:released`,
  kind: 'wallet-transfer-release',
  legs: release(account_id, amount + fee),
  meta: { hold: transferHold(object_id) },
});

/** What a receiver gets. */
export interface Received {
  readonly account: number;
  readonly amount: bigint;
}

/** How it is paid. */
interface Paying {
  readonly receivers: readonly Received[];
  /** Whether the money was set aside. */
  readonly isHeld: boolean;
  /** The quote by which its one receiver gets another currency. */
  readonly trade: QuotedTrade | undefined;
}

/** Pays the receivers and the fee, out of what was held where it was. */
export async function transferPayment(
  tx: Db,
  { object_id, account_id, currency, amount, fee }: Paid,
  { receivers, isHeld, trade }: Paying,
): Promise<Operation> {
  const key = transferHold(object_id);
  const meta = { ...(isHeld && { hold: transferHold(object_id) }), transfer: object_id };
  const fees = fee > 0n ? { account: await walletFees(tx, currency), units: fee } : undefined;
  const total = amount + fee;
  const [payee] = receivers;
  const legs =
    trade && payee
      ? await quotedLegs(tx, trade, {
          payer: account_id,
          payee: payee.account,
          reference: key,
          fees,
          isHeld,
        })
      : [
          { account: account_id, amount: -total, ...(isHeld && { held: -total }) },
          ...receivers,
          ...(fees ? [{ account: fees.account, amount: fees.units }] : []),
        ];
  return { key, kind: 'wallet-transfer', legs, meta };
}

/** Where the fees of payments between wallets go. */
export const walletFees = (tx: Db, currency: Fiat): Promise<number> =>
  openAccount(tx, houseAccount('wallet-fees', currency));
