import {
  type Fiat,
  type FiatWallet,
  findFiatWallet,
  openWallet,
} from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { payeeAtBank, type TypedBank } from '#features/fiat/payouts/payouts.ts';
import { requireUser, type TenantScope } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import type { BankAccount } from '#providers/gateway/port.ts';
import { openXrplHouse } from './books.ts';
import type { XrplDeps } from './deps.ts';
import type { FiatEnd } from './redemption.ts';

export type BankInput = string | TypedBank;

/** The part of a request that says where the fiat goes. */
export interface FiatInput {
  readonly target_fiat?: Fiat;
  readonly payout_type?: 'PLATFORM_WALLET' | 'BANK';
  readonly destination_bank?: BankInput;
  readonly receiver_user_id?: number;
  readonly receiver_currency?: Fiat;
  readonly wallet_id?: number;
}

/** The checked payee: paid in `currency`, which differs from the `target` where the receiver's does. */
export type XrplDestination = { readonly currency: Fiat; readonly target: Fiat } & (
  | { readonly kind: 'WALLET'; readonly user_id: number }
  /** Mock mode: counts as arrived. */
  | { readonly kind: 'MOCK_BANK' }
  | { readonly kind: 'BANK'; readonly bank: BankAccount }
);

/**
 * The payee; refuses one whom the caller may not pay, and a currency that no bank takes. A receiver with another
 * currency than the target gets that currency: over USDC it comes to the same.
 */
export async function readFiatInput(
  deps: Pick<XrplDeps, 'db' | 'config' | 'payouts'>,
  caller: UserCaller,
  target: Fiat,
  input: FiatInput,
): Promise<XrplDestination> {
  const { receiver_currency: currency = target, receiver_user_id, wallet_id } = input;
  if (input.payout_type === 'BANK') {
    if (currency !== target)
      throw wrongField('receiver_currency', 'must be the target_fiat of a BANK payout');
    return readBank(deps, target, input);
  }
  const named = wallet_id === undefined ? undefined : await walletNamed(deps.db, caller, wallet_id);
  if (named && receiver_user_id !== undefined && named.user_id !== receiver_user_id)
    throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  if (named && named.currency !== currency)
    throw wrongField('wallet_id', `is a wallet in ${named.currency}, not ${currency}`);
  const user_id = named?.user_id ?? receiver_user_id ?? caller.user_id;
  if (!named && user_id !== caller.user_id) await requireUser(deps.db, neighbours(caller), user_id);
  return { kind: 'WALLET', currency, target, user_id };
}

/** A caller may pay users of their own client; the operator’s admins all users. */
const neighbours = ({ operator, client_id }: UserCaller): TenantScope =>
  operator ? {} : { client_id };

async function walletNamed(db: Db, caller: UserCaller, wallet_id: number): Promise<FiatWallet> {
  const wallet = await findFiatWallet(db, neighbours(caller), wallet_id);
  if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  return wallet;
}

function readBank(
  { config, payouts }: Pick<XrplDeps, 'config' | 'payouts'>,
  currency: Fiat,
  { destination_bank: bank }: FiatInput,
): XrplDestination {
  if (bank === undefined) throw wrongField('destination_bank', 'is required for a BANK payout');
  if (config.MOCK_MODE) return { kind: 'MOCK_BANK', currency, target: currency };
  const asset = payouts.requirePayable(currency, 'target_fiat');
  if (typeof bank === 'string')
    throw fail(
      'VALIDATION_ERROR',
      'destination_bank needs bank_name, account_number, account_name',
    );
  return {
    kind: 'BANK',
    currency,
    target: currency,
    bank: payeeAtBank(asset, bank, 'destination_bank'),
  };
}

/** The ledger account that is paid, opened where there is none. */
export async function fiatEnd(tx: Db, to: XrplDestination): Promise<FiatEnd> {
  if (to.kind === 'MOCK_BANK') return { payee: await openXrplHouse(tx, 'mockBank', to.currency) };
  if (to.kind === 'BANK')
    return { payee: await openXrplHouse(tx, 'payouts', to.currency), bank: to.bank };
  const { wallet } = await openWallet(tx, to.user_id, to.currency);
  return { payee: wallet.account_id };
}
