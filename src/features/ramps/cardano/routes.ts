import { Type } from 'typebox';
import { CardNumber, Expiry } from '#features/fiat/cards/cards.ts';
import { FIAT } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { DestinationBank } from '#features/ramps/ramp/ramp.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { type Call, endpoints, type Route } from '#kernel/http/declare/route.ts';
import { AmountInput, explained, IdInput, oneOfWords, text } from '#kernel/http/declare/schema.ts';
import type { CardanoOrderInput } from './begin.ts';
import type { RampRouteDeps } from './deps.ts';
import { fromCard, fromWallet } from './execute.ts';
import { Bodies, cardanoBodyOf } from './presenters.ts';
import type { CardanoOrder } from './store.ts';

const endpoint = endpoints(errorEnvelope);

const Currency = oneOfWords(FIAT);
const base = {
  user_id: IdInput,
  fiat_amount: explained(
    AmountInput,
    'What is converted. What the network takes is charged on top where the percentages do not cover it; an ' +
      'amount below that is refused',
  ),
  currency_from: Currency,
};
const from = { wallet_from_id: IdInput };
const to = { currency_to: Currency };
const into = { ...to, wallet_to_id: IdInput };
const bank = {
  destination_bank: Type.Optional(
    explained(
      DestinationBank,
      'Required for a bank in another currency than IDR, which goes to your first registered account; not used in mock mode',
    ),
  ),
};
const address = { user_wallet_address: text(150) };
/** The contract asks for the number alone; a network may want to know more. */
const card = {
  cardNumber: CardNumber,
  expiry_date: Type.Optional(
    explained(Expiry, 'MMYY; not in the contract, and asked for by some issuers'),
  ),
};
const FAULT = 'Failed to process the Cardano transaction';

/** What all six are refused for, and what either source is. */
const OF_ALL = [
  'ACCESS_DENIED',
  'WALLET_NOT_FOUND',
  'USER_NOT_FOUND',
  'INVALID_AMOUNT',
  'AMOUNT_BELOW_MINIMUM',
  'PROVIDER_UNAVAILABLE',
] as const;
const OF_CARDS = [...OF_ALL, 'CARD_DECLINED'] as const;
const OF_WALLETS = [...OF_ALL, 'INSUFFICIENT_BALANCE', 'WALLET_FROZEN'] as const;
const OF_BANKS = ['PAYOUT_CURRENCY_UNAVAILABLE', 'PROVIDER_REJECTED'] as const;

type CardanoCall<B> = Call<'user', unknown, unknown, B>;

/** Contract part 2, Cardano: the six operations. */
export const rampRoutes = (deps: RampRouteDeps): Route[] => [
  ...cardRoutes(deps),
  ...walletRoutes(deps),
];

const withCard = (
  deps: RampRouteDeps,
  target: CardanoOrder['target'],
  call: CardanoCall<
    CardanoOrderInput['body'] & { readonly cardNumber: string; readonly expiry_date?: string }
  >,
): Promise<CardanoOrder> => {
  const { cardNumber, expiry_date, ...body } = call.body;
  const typed = { cardNumber, ...(expiry_date !== undefined && { expiry_date }) };
  return fromCard(deps, inputOf(call, { body, source: 'CARD', target }), typed);
};

const withWallet = (
  deps: RampRouteDeps,
  target: CardanoOrder['target'],
  call: CardanoCall<CardanoOrderInput['body']>,
) => fromWallet(deps, inputOf(call, { body: call.body, source: 'WALLET', target }));

/** Not by spreading the call, which makes some of its parts when they are read. */
const inputOf = (
  { caller, request, operation }: CardanoCall<unknown>,
  what: Pick<CardanoOrderInput, 'body' | 'source' | 'target'>,
): CardanoOrderInput => ({ caller, request, operation, ...what });

const cardRoutes = (deps: RampRouteDeps): Route[] => [
  endpoint('POST /cardano/onramp-bank-offramp-wallet', {
    name: 'cardano.cardToWallet',
    creates: { kind: 'cardano_card_to_wallet', object: 'cardano_order' },
    movesMoney: true,
    auth: 'user',
    errors: OF_CARDS,
    summary: 'From a card over USDC on Cardano to a wallet',
    body: Type.Object({ ...base, ...into, ...card }),
    reply: { 200: Bodies.cardToWallet },
    fault: FAULT,
    handler: async (call) => cardanoBodyOf.cardToWallet(await withCard(deps, 'WALLET', call)),
  }),
  endpoint('POST /cardano/onramp-bank-offramp-bank', {
    name: 'cardano.cardToBank',
    creates: { kind: 'cardano_card_to_bank', object: 'cardano_order' },
    movesMoney: true,
    auth: 'user',
    errors: [...OF_CARDS, ...OF_BANKS],
    summary: 'From a card over USDC on Cardano to a bank',
    body: Type.Object({ ...base, ...to, ...bank, ...card }),
    reply: { 200: Bodies.cardToBank },
    fault: FAULT,
    handler: async (call) => cardanoBodyOf.cardToBank(await withCard(deps, 'BANK', call)),
  }),
  endpoint('POST /cardano/onramp-bank-mint-user', {
    name: 'cardano.cardToAddress',
    creates: { kind: 'cardano_card_to_address', object: 'cardano_order' },
    movesMoney: true,
    auth: 'user',
    errors: OF_CARDS,
    summary: 'From a card to USDC at an address on Cardano',
    body: Type.Object({ ...base, ...address, ...card }),
    reply: { 200: Bodies.cardToUser },
    fault: FAULT,
    handler: async (call) => cardanoBodyOf.cardToUser(await withCard(deps, 'ADDRESS', call)),
  }),
];

const walletRoutes = (deps: RampRouteDeps): Route[] => [
  endpoint('POST /cardano/onramp-wallet-offramp-bank', {
    name: 'cardano.walletToBank',
    creates: { kind: 'cardano_wallet_to_bank', object: 'cardano_order' },
    movesMoney: true,
    auth: 'user',
    errors: [...OF_WALLETS, ...OF_BANKS],
    summary: 'From a wallet over USDC on Cardano to a bank',
    body: Type.Object({ ...base, ...from, ...to, ...bank }),
    reply: { 200: Bodies.walletToBank },
    fault: FAULT,
    handler: async (call) => cardanoBodyOf.walletToBank(await withWallet(deps, 'BANK', call)),
  }),
  endpoint('POST /cardano/onramp-wallet-offramp-wallet', {
    name: 'cardano.walletToWallet',
    creates: { kind: 'cardano_wallet_to_wallet', object: 'cardano_order' },
    movesMoney: true,
    auth: 'user',
    errors: OF_WALLETS,
    summary: 'From a wallet over USDC on Cardano to a wallet',
    body: Type.Object({ ...base, ...from, ...into }),
    reply: { 200: Bodies.walletToWallet },
    fault: FAULT,
    handler: async (call) => cardanoBodyOf.walletToWallet(await withWallet(deps, 'WALLET', call)),
  }),
  endpoint('POST /cardano/onramp-wallet-mint-user', {
    name: 'cardano.walletToAddress',
    creates: { kind: 'cardano_wallet_to_address', object: 'cardano_order' },
    movesMoney: true,
    auth: 'user',
    errors: OF_WALLETS,
    summary: 'From a wallet to USDC at an address on Cardano',
    body: Type.Object({ ...base, ...from, ...address }),
    reply: { 200: Bodies.walletToUser },
    fault: FAULT,
    handler: async (call) => cardanoBodyOf.walletToUser(await withWallet(deps, 'ADDRESS', call)),
  }),
];
