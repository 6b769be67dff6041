import { createHmac, randomInt, randomUUID } from 'node:crypto';
import type { Config } from '#kernel/config/config.ts';
import { callHttp } from '#kernel/provider-call.ts';
import type { Callback } from '#sandbox/callbacks.ts';
import type { World } from '#sandbox/simulator.ts';
import { ISSUING_SIMULATOR, type SimulatedCard } from './simulated-cards.ts';

const TRANSACTION = 'transaction';

/** A transaction as the processor keeps and tells it. */
export interface SimulatedTransaction {
  readonly token: string;
  readonly type: string;
  readonly state: 'PENDING' | 'COMPLETION' | 'DECLINED' | 'CLEARED';
  readonly network_reference_id: string;
  readonly preceding_related_transaction_token?: string;
  readonly clearing_record_sequence_number?: string;
  readonly is_final_clearing?: boolean;
  readonly card_token: string;
  readonly user_token: string;
  readonly amount: number;
  readonly currency_code: string;
  readonly created_time: string;
  readonly [field: string]: unknown;
}

export type CallSecrets = Pick<
  Config,
  'ISSUING_CALLBACK_USER' | 'ISSUING_CALLBACK_PASSWORD' | 'ISSUING_CALLBACK_SECRET'
>;

/** A shop that a card pays in. */
export interface Shop {
  readonly mid?: string;
  readonly name?: string;
  readonly mcc?: string;
  readonly city?: string;
  readonly country_code?: string;
}

export interface SimulatedPurchase {
  readonly type: string;
  readonly method: string;
  readonly amount: number;
  /** Where what moves is not the amount itself. */
  readonly funding?: number | undefined;
  readonly shop?: Shop | undefined;
  readonly online?: boolean | undefined;
  readonly partial?: boolean | undefined;
  readonly wrongCode?: boolean | undefined;
  readonly foreign?: { readonly amount: number; readonly currency: string } | undefined;
  /** The transaction that it follows. */
  readonly after?: SimulatedTransaction | undefined;
  readonly isFinal?: boolean | undefined;
}

const THREE_LETTERS: Readonly<Record<string, string>> = { SG: 'SGP', ID: 'IDN', US: 'USA' };

/** Makes a transaction, which is at the processor alone. */
export function newTransaction(
  { clock }: Pick<World, 'clock'>,
  card: SimulatedCard,
  currency: string,
  purchase: SimulatedPurchase,
): SimulatedTransaction {
  const { after, type, method, amount } = purchase;
  const token = randomUUID();
  const moved = Math.round((purchase.funding ?? amount) * 100) / 100;
  return {
    ...(after ? followed(after) : atShop(purchase)),
    ...detailsOf(purchase),
    token,
    type,
    state: 'PENDING',
    network: 'VISA',
    network_reference_id: after?.network_reference_id ?? String(randomInt(1e14, 2e14)),
    card_token: card.token,
    user_token: card.user_token,
    acting_user_token: card.user_token,
    amount,
    currency_code: currency,
    created_time: clock.now().toISOString(),
    gpa_order: {
      token: randomUUID(),
      amount: moved,
      currency_code: currency,
      state: 'PENDING',
      jit_funding: { token: randomUUID(), method, user_token: card.user_token, amount: moved },
    },
  };
}

const followed = (after: SimulatedTransaction) => ({
  card_acceptor: after['card_acceptor'],
  pos: after['pos'],
  preceding_related_transaction_token: after.token,
});

function atShop({ shop = {}, online, partial }: SimulatedPurchase) {
  const country = shop.country_code ?? 'SG';
  return {
    card_acceptor: {
      mid: shop.mid ?? '445100321000100',
      name: shop.name ?? 'Toko Kopi',
      mcc: shop.mcc ?? '5814',
      city: shop.city ?? 'Singapore',
      country_code: THREE_LETTERS[country] ?? country,
    },
    pos: {
      card_presence: !online,
      card_holder_presence: !online,
      partial_approval_capable: partial === true,
    },
  };
}

const detailsOf = ({ foreign, amount, wrongCode, isFinal }: SimulatedPurchase) => ({
  ...(foreign && {
    currency_conversion: {
      network: {
        original_amount: foreign.amount,
        original_currency_code: foreign.currency,
        conversion_rate: foreign.amount === 0 ? 0 : amount / foreign.amount,
      },
    },
  }),
  ...(wrongCode && {
    card_security_code_verification: {
      type: 'CVV2',
      response: { code: '0001', memo: 'Card security code mismatch' },
    },
  }),
  ...(isFinal !== undefined && { is_final_clearing: isFinal }),
});

type Kept = Pick<World, 'records'>;

export const keepTransaction = ({ records }: Kept, one: SimulatedTransaction): Promise<boolean> =>
  records.insert(ISSUING_SIMULATOR, TRANSACTION, one.token, one);

export const simulatedTransactionOf = ({ records }: Kept, token: string) =>
  records.get<SimulatedTransaction>(ISSUING_SIMULATOR, TRANSACTION, token);

const LIST_MAX = 1000;

/** Oldest first. */
export async function transactionsBetween(
  { records }: Kept,
  from: string,
  to: string,
): Promise<SimulatedTransaction[]> {
  const all = await records.list<SimulatedTransaction>(ISSUING_SIMULATOR, TRANSACTION, {
    limit: LIST_MAX,
  });
  return all.filter(({ created_time: at }) => at >= from && at < to).reverse();
}

/** How many clearings follow a transaction. */
export async function clearingsAfter({ records }: Kept, token: string): Promise<number> {
  const found = await records.list<SimulatedTransaction>(ISSUING_SIMULATOR, TRANSACTION, {
    where: { preceding_related_transaction_token: token },
  });
  return found.filter(({ type }) => type === 'authorization.clearing').length;
}

/** By what the service knows the processor. */
function callProofOf(
  { ISSUING_CALLBACK_USER: user, ISSUING_CALLBACK_PASSWORD: password, ...rest }: CallSecrets,
  body: string,
): Record<string, string> {
  const { ISSUING_CALLBACK_SECRET: secret } = rest;
  return {
    'content-type': 'application/json',
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
    ...(secret !== undefined && {
      'x-marqeta-signature': createHmac('sha256', secret).update(body).digest('hex'),
    }),
  };
}

/** Longer than this the processor does not wait. */
const WAIT_MS = 3000;

export interface Asked {
  /** 0 where there was no answer in time. */
  readonly status: number;
  readonly answer: unknown;
  readonly ms: number;
  readonly transaction: SimulatedTransaction;
}

/** Asks the service, as a gateway of just-in-time funding is asked. */
export async function askFunding(
  world: World,
  secrets: CallSecrets,
  asked: SimulatedTransaction,
): Promise<Asked> {
  const body = JSON.stringify(asked);
  const began = performance.now();
  const reply = await callHttp({
    name: 'issuing gateway',
    method: 'POST',
    url: `${world.serviceUrl()}/cards/processor/authorizations`,
    headers: callProofOf(secrets, body),
    body,
    timeoutMs: WAIT_MS,
  });
  const ms = Math.round(performance.now() - began);
  if ('lost' in reply)
    return { status: 0, answer: null, ms, transaction: { ...asked, state: 'DECLINED' } };
  const { status, json } = reply;
  const given = (json as { jit_funding?: { amount?: number } } | undefined)?.jit_funding?.amount;
  const isYes = status === 200 && typeof given === 'number';
  return {
    status,
    answer: json ?? null,
    ms,
    transaction: isYes
      ? { ...asked, amount: Math.min(given, asked.amount) }
      : { ...asked, state: 'DECLINED' },
  };
}

/** Tells the service of transactions. */
export const callbackOf = (
  world: World,
  secrets: CallSecrets,
  transactions: readonly SimulatedTransaction[],
): Callback => newsOf(world, secrets, { transactions });

/** The same of what has become of a case. */
export const caseCallbackOf = (
  world: World,
  secrets: CallSecrets,
  { token, case_token, state }: Readonly<Record<'token' | 'case_token' | 'state', string>>,
): Callback =>
  newsOf(world, secrets, {
    casetransitions: [{ type: `casetransition.${state}`, token, case_token, state }],
  });

function newsOf(world: World, secrets: CallSecrets, news: object): Callback {
  const body = JSON.stringify(news);
  return {
    url: `${world.serviceUrl()}/cards/processor/events`,
    headers: callProofOf(secrets, body),
    body,
    resign: (password) => callProofOf({ ...secrets, ISSUING_CALLBACK_PASSWORD: password }, body),
  };
}
