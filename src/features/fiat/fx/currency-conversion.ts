import { fiatWalletOf, openWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { postPayment } from '#kernel/ledger/post-payment.ts';
import type { Market } from '#kernel/money/cost.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import { stepUpOf } from '#kernel/policies/operation.ts';
import { emitCurrencyConversion, type NamedConversion } from './currency-conversion-events.ts';
import { insertCurrencyConversion, lockReversal } from './currency-conversion-store.ts';
import { type QuotedTrade, quotedFee, quotedFiat, quotedLegs, useQuote } from './quote-use.ts';

export type ConvertDeps = Pick<Kernel, 'clock' | 'policies'>;

/** A request to convert by a quote. */
export interface QuotedConversionOrder {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly operation: string;
  readonly quote_id: string;
  readonly market: Market | undefined;
}

/** Converts between two wallets of the caller by a quote, in one transaction; the other wallet is opened. */
export async function convertByQuote(
  { clock, policies }: ConvertDeps,
  tx: Db,
  { caller, request, operation, quote_id, market }: QuotedConversionOrder,
): Promise<NamedConversion> {
  const { user_id, client_id, key } = caller;
  const conversion_id = newObjectUuid(clock.ms());
  const object_id = objectId('cnv', conversion_id);
  const used_by = object_id;
  const trade = await useQuote(tx, { quote_id, user_id, used_by, mayReverse: true });
  const { reverses } = trade.quote;
  if (reverses !== null && (await lockReversal(tx, reverses)))
    throw notAllowedIn('REVERSED', ['COMPLETED']);
  const [from, to] = [quotedFiat(trade.sold), quotedFiat(trade.bought)];
  const payer = await fiatWalletOf(tx, user_id, from);
  if (!payer) throw fail('WALLET_NOT_FOUND', `There is no wallet in ${from}`);
  const { wallet: payee } = await openWallet(tx, user_id, to);
  const names = namesGiven('payment');
  await policies.decide(tx, {
    kind: 'conversion',
    op: 'fx_conversion',
    operation,
    payment_id: object_id,
    client_id,
    user_id,
    amount: trade.sold,
    market,
    wallet: { id: payer.wallet_id, currency: from },
    key: key && { key_id: key.key_id, scopes: key.scopes },
    metadata: names.metadata,
    stepUp: stepUpOf(request),
  });
  const fee = quotedFee(trade);
  const row = await insertCurrencyConversion(tx, {
    conversion_id,
    object_id,
    operation,
    client_id,
    user_id,
    quote_id,
    from_wallet_id: payer.wallet_id,
    to_wallet_id: payee.wallet_id,
    from_currency: from,
    from_units: trade.sold.units,
    to_currency: to,
    to_units: trade.bought.units,
    fee,
    reverses,
  });
  const accounts = { payer: payer.account_id, payee: payee.account_id };
  await post(tx, trade, { ...accounts, fee, reference: `fx-conversion:${object_id}` });
  const made = { ...row, names };
  emitCurrencyConversion(tx, made);
  return made;
}

interface Posting {
  readonly payer: number;
  readonly payee: number;
  readonly fee: bigint;
  readonly reference: string;
}

/** The fee comes on top of what is sold. */
async function post(
  tx: Db,
  trade: QuotedTrade,
  { payer, payee, fee, reference }: Posting,
): Promise<void> {
  const { asset, units } = trade.sold;
  const fees =
    fee === 0n
      ? undefined
      : { account: await openAccount(tx, houseAccount('fx-fees', asset)), units: fee };
  const legs = await quotedLegs(tx, trade, { payer, payee, reference, fees });
  await postPayment(
    tx,
    { key: reference, kind: 'fx-conversion', legs },
    { account_id: payer, needed: { asset, units: units + fee } },
  );
}
