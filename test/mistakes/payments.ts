import { CARD, type Mistake, type MistakenRequest } from './world.ts';

const pay = (fields: object, headers: MistakenRequest['headers'] = {}): MistakenRequest => ({
  at: 'POST /api/card-checkout/card',
  body: { ...CARD, ...fields },
  headers,
});
const wrong = { status: 400, code: 'VALIDATION_ERROR', hint: /Correct/ } as const;
const amount = {
  ...wrong,
  says: 'amount must be a positive decimal number, such as "12.50"',
  field: 'amount',
} as const;
const number = { ...wrong, says: /^card_number .*16 digits/, field: 'card_number' } as const;
const expiry = {
  ...wrong,
  says: /^expiry_date .*MMYY, such as 1232$/,
  field: 'expiry_date',
} as const;

/** Cards, amounts and repetitions. */
export const PAYMENTS: readonly Mistake[] = [
  {
    name: 'MM/YY',
    ask: () => pay({ expiry_date: '12/39' }),
    answer: expiry,
  },
  { name: 'a year of four digits', ask: () => pay({ expiry_date: '122039' }), answer: expiry },
  { name: 'YYMM', ask: () => pay({ expiry_date: '3912' }), answer: expiry },
  {
    name: 'a card that has expired',
    ask: () => pay({ expiry_date: '0120' }),
    answer: { ...wrong, says: 'expiry_date is not in the future', field: 'expiry_date' },
  },
  { name: 'a digit too few', ask: () => pay({ card_number: '411111111111111' }), answer: number },
  {
    name: 'a wrong digit',
    ask: () => pay({ card_number: '4111111111111112' }),
    answer: { ...wrong, says: /^card_number is not a card number/, field: 'card_number' },
  },
  {
    name: 'a card number without quotes',
    ask: () => pay({ card_number: 4111111111111111 }),
    answer: { ...wrong, says: 'card_number must be string', field: 'card_number' },
  },
  { name: 'a negative amount', ask: () => pay({ amount: -5 }), answer: amount },
  { name: 'an amount of nought', ask: () => pay({ amount: 0 }), answer: amount },
  {
    name: 'an amount of null',
    ask: () => pay({ amount: null }),
    answer: { ...amount, says: 'Missing required fields: amount' },
  },
  { name: 'an amount with its currency', ask: () => pay({ amount: '$10' }), answer: amount },
  { name: 'an amount with a comma', ask: () => pay({ amount: '10,50' }), answer: amount },
  { name: 'an amount with thousands', ask: () => pay({ amount: '1,000.00' }), answer: amount },
  {
    name: 'more decimals than the currency has',
    ask: () => pay({ amount: 10.001 }),
    answer: {
      status: 400,
      code: 'VALIDATION_ERROR',
      says: 'Amount has more than the 2 decimals of USD',
      hint: /Round it to 2 decimals/,
    },
  },
  {
    name: 'an amount with a slip in its name',
    ask: () => pay({ amount: undefined, amout: 10 }),
    answer: {
      ...wrong,
      says: 'Missing required fields: amount',
      field: 'amount',
      hint: /^Not known here: amout. Did you mean amount\?$/,
    },
  },
  {
    name: 'a currency in small letters',
    ask: () => pay({ currency_code: 'usd' }),
    answer: { ...wrong, says: 'currency_code must be one of USD', field: 'currency_code' },
  },
  {
    name: 'a currency that there is not',
    ask: () => ({ at: 'POST /api/wallets/fiat', body: { currency: 'EUR' } }),
    answer: { ...wrong, says: /^currency must be one of USD, IDR, /, field: 'currency' },
  },
  {
    name: 'a currency without a wallet',
    ask: () => ({
      at: 'POST /api/card-checkout/cardcc',
      body: { ...CARD, currency_code: 'VND', amount: 50_000 },
    }),
    answer: {
      status: 404,
      code: 'WALLET_NOT_FOUND',
      says: 'VND Wallet not found for user',
      hint: /Open one first: POST \/wallets\/fiat with {"currency": "VND"}/,
    },
  },
  {
    name: 'a card that is declined',
    ask: () => pay({ card_number: '4000000000000002' }),
    answer: {
      status: 400,
      code: 'CARD_DECLINED',
      says: 'The card was declined',
      hint: /Do not repeat it as it is/,
    },
  },
  {
    name: 'the key of another top-up',
    ask: ({ usedKey }) => pay({ amount: '11.00' }, { 'idempotency-key': usedKey }),
    answer: {
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
      says: 'This Idempotency-Key was used with another body',
      hint: /Use a new key for a new operation/,
    },
  },
  {
    name: 'a key as long as a body',
    ask: () => pay({}, { 'idempotency-key': 'x'.repeat(300) }),
    answer: {
      ...wrong,
      says: 'Idempotency-Key must have 1 to 255 characters',
      field: 'Idempotency-Key',
    },
  },
  {
    name: 'a chain that is not served',
    ask: () => ({
      at: 'POST /api/onchain/execute',
      body: {
        wallet_address: `0x${'1'.repeat(40)}`,
        chain_id: 'ethereum',
        token_symbol: 'USDC',
        token_contract: 'native',
        to_address: `0x${'2'.repeat(40)}`,
        amount: '1',
      },
    }),
    answer: { ...wrong, says: /^chain_id must be one of sepolia, amoy, neon/, field: 'chain_id' },
  },
  {
    name: 'an address with a slip',
    ask: () => ({
      at: 'POST /api/onchain/execute',
      body: {
        wallet_address: `0x${'1'.repeat(40)}`,
        chain_id: 'sepolia',
        token_symbol: 'USDC',
        token_contract: 'native',
        to_address: '0x1',
        amount: '1',
      },
    }),
    answer: { ...wrong, says: /^to_address must be a 0x address/, field: 'to_address' },
  },
];
