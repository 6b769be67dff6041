import { CHAIN_KEYS, CHAINS } from '#chains/evm/port.ts';
import type { Vocabulary } from '#kernel/openapi/vocabulary.ts';
import { STATES } from './states.ts';

const CURRENCIES = {
  USD: 'US dollar',
  IDR: 'Indonesian rupiah',
  SGD: 'Singapore dollar',
  AUD: 'Australian dollar',
  INR: 'Indian rupee',
  VND: 'Vietnamese dong',
  EUR: 'Euro',
  GBP: 'Pound sterling',
  JPY: 'Japanese yen',
  IDRT: 'A rupiah token',
  ADA: 'The coin ADA',
  XRP: 'XRP, the coin of its ledger',
  ETH: 'The coin Ether',
  POL: 'POL, the coin of Polygon',
  NEON: 'NEON, its chain’s coin',
  POINTS: 'Points of the rewards app',
  USDC: 'The stablecoin USDC',
};
/** Of the chains that this process has. */
const chainWords = () =>
  Object.fromEntries([
    ...CHAIN_KEYS.map((key) => [key, `${CHAINS[key].name}: ${CHAINS[key].network}`]),
  ]);
const coinWords = () =>
  Object.fromEntries(
    CHAIN_KEYS.map((key) => [CHAINS[key].native, `The coin of ${CHAINS[key].name}`]),
  );
const MOVES = {
  transfer: 'A transfer between wallets',
  request: 'A request for money',
  withdrawal: 'A payment to a bank account',
  batch: 'Many payments at once',
  refund: 'A refund',
  conversion: 'A conversion between currencies',
  card: 'A payment by an issued card',
  bridge: 'A transfer to another chain',
  send: 'A payment on chain',
  agent: 'An action by the agent',
};
const PROVEN = { KYC: 'A person is verified', KYB: 'A company is verified' };
const SET = { configured: 'The setting is there', missing: 'The setting is missing' };

/**
 * What each word of a field means where the field takes some words only: by the field's name, or by `Shape.field` and
 * `operation.field` where a word means something else there.
 */
const VALUES: Vocabulary['values'] = {
  ...STATES,
  currency: CURRENCIES,
  currency_code: CURRENCIES,
  currency_from: CURRENCIES,
  currency_to: CURRENCIES,
  from_currency: CURRENCIES,
  to_currency: CURRENCIES,
  fiat_currency: CURRENCIES,
  receiver_currency: CURRENCIES,
  target_fiat: CURRENCIES,
  to: CURRENCIES,
  from: {
    ...CURRENCIES,
    place: 'Goes on where it stopped',
    now: 'Goes on with what happens from now on',
  },
  act: { publish: 'The policy takes effect', retire: 'The policy ends' },
  applies_to: MOVES,
  access_level: {
    owner: 'The transaction is the caller’s own',
    admin: 'The caller reads it as an admin',
  },
  app_id: SET,
  app_secret: SET,
  verification_key: SET,
  availability: { in_stock: 'It can be bought', out_of_stock: 'It cannot be bought now' },
  cause: {
    ANOTHER_SUM: 'A provider reports another sum than we ordered; it waits until it reports ours',
    REVERSED_AFTER_REFUND:
      'The card network has undone a top-up after we refunded a part of it; somebody decides',
    MISSING_AT_PROVIDER: 'We have booked it, and the other side does not list it',
    MISSING_IN_OUR_BOOKS: 'The other side lists it, and we have not booked it',
    AMOUNT_DIFFERS: 'Both sides list it with different amounts',
    DAY_DIFFERS: 'Both sides list it on days that are too far apart',
    DOUBLED_AT_PROVIDER: 'The other side lists it twice',
    DOUBLED_IN_OUR_BOOKS: 'We have booked it twice',
    event: 'The event has just happened',
    retry: 'An earlier attempt failed',
    probe: 'The endpoint was failing, and is tried for a sign of life',
    replay: 'A replay of a time was asked for',
    resend: 'Somebody asked for this event again',
    test: 'Somebody sends a test event',
  },
  channel: { wa: 'By WhatsApp', sms: 'By SMS' },
  decision: { confirm: 'The change is made', refuse: 'The change is not made' },
  by: {
    you: 'The caller',
    another: 'Another person',
    platform: 'The platform',
    provider: 'A provider',
    chain: 'A chain',
  },
  direction: {
    credit: 'The wallet gets the amount',
    debit: 'The wallet pays the amount',
    in: 'Money comes in',
    out: 'Money leaves',
    internal: 'Money moves between wallets of the platform',
  },
  in_doubt: { true: 'Only payments with a call whose outcome is not known' },
  dry_run: { true: 'Nothing is done; the answer says what would be', false: 'It is done' },
  event_type: {
    posted: 'The bank has sent the transfer',
    settled: 'The transfer has settled',
    failed: 'The transfer has failed',
    funds_available: 'The money can be used',
    returned: 'The bank has taken the money back',
  },
  fee_type: { FIXED: 'A sum for each transaction', PERCENTAGE: 'A part of the amount' },
  idempotency: {
    none: 'The request had no `Idempotency-Key`',
    first: 'It was the first one under its key',
    replayed: 'It got the answer of an earlier one',
  },
  intent: {
    SEARCH: 'The shopper looks for something',
    BUY: 'The shopper wants to buy something',
    INFO: 'The shopper asks about something',
    HELP: 'The shopper needs help, or nothing was understood',
  },
  intent_type: {
    create_wallet: 'Create a wallet',
    add_address: 'Add an address to a wallet',
    balance: 'Show balances',
    history: 'Show what was done',
    import_token: 'Add a token',
    send: 'Send coins or tokens',
    crosschain_transfer: 'Send USDC to another chain',
    help: 'Explain what can be asked for',
    cancel: 'Cancel what waits for a yes',
    unknown: 'The sentence was not understood',
  },
  kind: {
    ...PROVEN,
    ...MOVES,
    reversal: 'Undoes one earlier posting',
    adjustment: 'Corrects a wallet by a sum',
  },
  verification_type: PROVEN,
  meant: {
    ALL: 'The network has taken the rest, too, and so do we',
    REFUND: 'The network means our refund alone',
  },
  method: {
    GET: 'Reads',
    POST: 'Makes a thing or acts',
    PUT: 'Replaces a thing',
    PATCH: 'Changes parts of a thing',
    DELETE: 'Removes a thing',
  },
  mode: {
    backend: 'The user’s managed wallet signs here',
    external_wallet: 'A wallet outside signs, or has signed',
    manual: 'The platform’s own wallet signs',
  },
  ordering: {
    object: 'Events of one object come in their order',
    strict: 'All events come one after the other',
  },
  payload: { fat: 'The whole object is sent', thin: 'Only the object’s name is sent' },
  paymentMethod: {
    QRIS: 'By a QR code of the national standard',
    VA: 'By a transfer to a virtual account',
    EWALLET: 'By an e-wallet',
  },
  payout_type: {
    PLATFORM_WALLET: 'To a wallet of the platform',
    BANK: 'To a bank account',
  },
  per: {
    user: 'Each user',
    client: 'The whole client',
    wallet: 'Each wallet',
    recipient: 'Each recipient',
    card: 'Each card',
    key: 'Each API key',
  },
  rail: {
    wallet: 'Wallets of the platform',
    withdrawal: 'Payments to bank accounts',
    batch: 'Batches of payments',
    invoice: 'Invoices',
    issued_card: 'Issued cards',
    fx: 'Conversions between currencies',
    bridge: 'Transfers between chains',
    card: 'Cards',
    bank: 'A linked bank account',
  },
  reason: {
    LATE: 'The purchase had ended before the money came',
    UNDERPAID: 'Less than the purchase costs',
    OVERPAID: 'More than the purchase costs',
    PAID_ALREADY: 'The purchase was paid before',
  },
  refund: {
    NONE: 'Nothing is to be given back',
    OWED: 'The money is owed to its payer',
    SENT: 'The money was given back',
  },
  role: { admin: 'Administers users of the client', user: 'Uses wallets of their own' },
  roles: { admin: 'An admin of the client', operator: 'An admin of the operator' },
  show: {
    owed: 'What is owed to payers',
    lost: 'What was used before the chain dropped it',
  },
  type: {
    MINT: 'Buying tokens',
    REDEEM: 'Redeeming tokens',
    REFUND: 'Giving a transaction back',
    BRIDGE: 'Moving tokens to another chain',
    TOPUP: 'A card pays into a wallet',
  },
  verdict: {
    ALLOW: 'It goes through',
    DENY: 'It is refused',
    LIMIT: 'It would pass a limit, and is refused',
    STEP_UP: 'It needs another proof of who asks',
    APPROVE: 'It waits for approval',
    HOLD: 'It waits for a time',
  },
  version: { v1: 'The chain is fixed', v2: 'The buyer chose the chain' },
  window: {
    '1h': 'An hour',
    '1d': 'A day',
    '7d': 'Seven days',
    '30d': 'Thirty days',
  },
  what: {
    effect: 'A call to a provider or chain',
    flow: 'An operation of several steps',
    inbox: 'A message that a provider sent',
  },
};

/** The same with the chains of this process, which the database names. */
export const valuesOf = (): Vocabulary['values'] => ({
  ...VALUES,
  chain_id: chainWords(),
  token_symbol: { ...coinWords(), USDC: CURRENCIES.USDC },
});
