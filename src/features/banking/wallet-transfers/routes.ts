import { type Static, Type } from 'typebox';
import { type FiatWallet, findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { QUOTE_ERRORS, readPolicyMarket } from '#features/fiat/fx/fx.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import {
  explained,
  IdInput,
  integerInput,
  stamped,
  textInput,
} from '#kernel/http/declare/schema.ts';
import { MoneyInput, moneyOf } from '#kernel/money/amount-fields.ts';
import { POLICY_ERRORS } from '#kernel/policies/policy.ts';
import { transact } from '#kernel/transact.ts';
import type { TransferDeps } from './deps.ts';
import type { OrderedPart } from './order.ts';
import { ShownTransfer, shownTransfer } from './presenters.ts';
import { findReceiver, ToInput } from './receivers.ts';
import { sendWithin } from './send.ts';
import { transferOfOperation } from './store.ts';

const endpoint = endpoints(codedEnvelope);

/** Seven days, and from an hour to thirty days. */
const CLAIM_S = { usual: 604_800, least: 3_600, most: 2_592_000 };
const SPLIT = { least: 2, most: 20 };

const SplitPart = named('SplitPart', {
  to: ToInput,
  amount: MoneyInput,
  note: Type.Optional(textInput(140)),
});

const TransferInput = Type.Object({
  from_wallet_id: explained(IdInput, 'A wallet of one’s own'),
  to: Type.Optional(explained(ToInput, 'Whom it is for; left out with `split`')),
  amount: Type.Optional(MoneyInput),
  note: Type.Optional(textInput(140)),
  quote_id: Type.Optional(
    explained(
      objectIdInput('qte'),
      'A quote that sells `amount` of the wallet’s currency: what it buys arrives; not of a split',
    ),
  ),
  claim_expires_in_s: Type.Optional(
    explained(
      integerInput(CLAIM_S.least, CLAIM_S.most),
      'How long a person without an account may claim it; seven days where it is left out',
    ),
  ),
  split: Type.Optional(
    explained(
      Type.Array(SplitPart, { minItems: SPLIT.least, maxItems: SPLIT.most }),
      'Several receivers instead of `to`, `amount` and `note`: all of them are paid, or none',
    ),
  ),
});

/** What a payment out of a wallet is refused for. */
export const SENDING_ERRORS = [
  ...(['WALLET_NOT_FOUND', 'USER_NOT_FOUND', 'INSUFFICIENT_BALANCE', 'WALLET_FROZEN'] as const),
  ...(['CURRENCY_MISMATCH', 'SAME_WALLET', 'RECIPIENT_UNAVAILABLE', 'CONFLICT'] as const),
  ...(['429 LIMIT_EXCEEDED', ...QUOTE_ERRORS, ...POLICY_ERRORS] as const),
] as const;

/** Money to other people of the client, or to an address. */
export const sendRoute = (deps: TransferDeps): Route =>
  endpoint('POST /wallets/fiat/transfers', {
    name: 'walletTransfers.send',
    auth: 'user',
    requiresKey: true,
    creates: 'wallet_transfer',
    errors: SENDING_ERRORS,
    summary: 'Sends money to a wallet, a person or an address, or splits it among several',
    body: TransferInput,
    example: { from_wallet_id: 3, to: { wallet_id: 4 }, amount: '12.50', note: 'Lunch' },
    reply: { 201: stamped({ data: ShownTransfer }) },
    fault: 'Failed to send money',
    async handler({ caller, body, request, operation, db }) {
      const known = await transferOfOperation(db, operation);
      if (known) return at(201, { data: shownTransfer(known) });
      const from = await ownPayingWallet(db, caller, body.from_wallet_id);
      const parts = await partsOf(db, caller, body, from);
      const order = {
        caller,
        request,
        operation,
        from,
        parts,
        isSplit: body.split !== undefined,
        note: body.note ?? null,
        quote_id: body.quote_id,
        claimS: body.claim_expires_in_s ?? CLAIM_S.usual,
        market: await readPolicyMarket(deps.fx),
      };
      const sent = await transact(db, (tx) => sendWithin(deps, tx, order));
      return at(201, { data: shownTransfer(sent) });
    },
  });

/** A wallet of the caller's own: a caller spends no money of others. */
export async function ownPayingWallet(
  db: Db,
  { user_id }: UserCaller,
  wallet_id: number,
): Promise<FiatWallet> {
  const wallet = await findFiatWallet(db, { user_id }, wallet_id);
  if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  return wallet;
}

async function partsOf(
  db: Db,
  { client_id }: UserCaller,
  { to, amount, note, split, quote_id }: Static<typeof TransferInput>,
  { currency }: FiatWallet,
): Promise<OrderedPart[]> {
  if (split === undefined) {
    if (to === undefined) throw wrongField('to', 'is required without split');
    if (amount === undefined) throw wrongField('amount', 'is required without split');
    const { units } = moneyOf({ amount, currency });
    return [{ to: await findReceiver(db, client_id, to), units, note: note ?? null }];
  }
  if (to !== undefined || amount !== undefined || note !== undefined)
    throw wrongField('split', 'is instead of to, amount and note');
  if (quote_id !== undefined) throw wrongField('quote_id', 'is for one receiver, not for a split');
  const parts: OrderedPart[] = [];
  for (const [n, part] of split.entries()) {
    const { units } = moneyOf({ amount: part.amount, currency }, `split[${n}].amount`);
    const receiver = await findReceiver(db, client_id, part.to, `split[${n}].to`);
    parts.push({ to: receiver, units, note: part.note ?? null });
  }
  const people = parts.flatMap((part) => ('person' in part.to ? [part.to.person.user_id] : []));
  if (new Set(people).size < people.length)
    throw wrongField('split', 'has two parts for one person');
  return parts;
}
