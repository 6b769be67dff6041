import type { Archipay } from '../../../sdk/src/archipay.ts';
import type { Recipe } from './recipe.ts';
import { CARD, type Currency, type Person, type Stage } from './stage.ts';

const USD = { currency_code: 'USD' } as const;
const BANK = { bank_code: '021000021', account_number: '000123456789' } as const;

async function paid(stage: Stage, amount = '100.00') {
  const person = await stage.person();
  const wallet_id = await stage.wallet(person);
  const { data } = await person.archipay.cards.topUp({ ...CARD, ...USD, amount });
  const { reference_id, transaction_identifier: transaction } = data;
  return { ...person, wallet_id, reference_id, transaction };
}

/** By which the card network knows it. */
async function transactionOf(archipay: Archipay, reference_id: string): Promise<string> {
  const { data } = await archipay.cards.getByReference({ reference_id });
  return data.transaction_identifier ?? '';
}

async function declined(stage: Stage): Promise<void> {
  const { archipay } = await stage.person();
  await archipay.fiatWallets.open({ currency: 'USD' });
  const card = { ...CARD, ...USD, card_number: '4000000000000002', amount: '10.00' };
  await archipay.cards.topUp(card).catch(() => undefined);
}

async function recipient({ archipay }: Person) {
  const made = await archipay.recipients.create({
    name: 'Grace Lee',
    kind: 'bank',
    country: 'US',
    currency: 'USD',
    details: BANK,
  });
  return made.data.recipient_id;
}

async function withdrawal(stage: Stage, more: object = {}) {
  const person = await stage.person();
  const wallet_id = await stage.wallet(person, 'USD', '100.00');
  const recipient_id = await recipient(person);
  const asked = { wallet_id, amount: '20.00', recipient_id, ...more };
  const { data } = await person.archipay.withdrawals.create(asked);
  return { ...person, wallet_id, withdrawal_id: data.withdrawal_id };
}

/** Two people of the client; the first has money. */
async function two(stage: Stage, currency: Currency = 'USD') {
  const [from, to] = [await stage.person(), await stage.person()];
  const from_wallet_id = await stage.wallet(from, currency, '100.00');
  const to_wallet_id = await stage.wallet(to, currency);
  return { from, to, from_wallet_id, to_wallet_id };
}

async function held(stage: Stage, more: object = {}) {
  const pair = await two(stage);
  const { data } = await pair.from.archipay.walletHolds.place({
    wallet_id: pair.from_wallet_id,
    to: { wallet_id: pair.to_wallet_id },
    amount: '20.00',
    ...more,
  });
  return { ...pair, hold_id: data.hold_id };
}

/** Money for somebody who has no account yet. */
async function claimable(stage: Stage, more: object = {}) {
  const from = await stage.person();
  const from_wallet_id = await stage.wallet(from, 'USD', '100.00');
  const { data } = await from.archipay.walletTransfers.send({
    from_wallet_id,
    to: { email: `${stage.name('friend')}@demo.example` },
    amount: '5.00',
    ...more,
  });
  return { from, transfer_id: data.transfer_id };
}

async function invoice(stage: Stage, more: object = {}) {
  const pair = await two(stage);
  const { data } = await pair.to.archipay.invoices.create({
    amount: '20.00',
    currency: 'USD',
    description: 'A trigger',
    wallet_id: pair.to_wallet_id,
    ...more,
  });
  return { ...pair, invoice_id: data.invoice_id };
}

async function linked(stage: Stage) {
  const person = await stage.person();
  const wallet_id = await stage.wallet(person);
  const { public_token } = await stage.sandbox.call<{ public_token: string }>(
    'POST',
    '/banklink/public-tokens',
    {},
  );
  await person.archipay.bankLink.linkAccount({ public_token, wallet_id });
  return { ...person, wallet_id };
}

export const MONEY: readonly Recipe[] = [
  {
    types: ['wallet.created', 'payment.succeeded', 'wallet.credited'],
    how: 'A user opens a wallet and tops it up from a test card.',
    run: async (stage) => void (await paid(stage)),
  },
  {
    types: ['payment.pending'],
    how: 'A user tops a wallet up from a test card; the network has to answer.',
    mode: 'live',
    run: async (stage) => void (await paid(stage)),
  },
  {
    types: ['payment.failed'],
    how: 'A user pays with a card that is declined.',
    run: declined,
  },
  {
    types: ['payment.refunded', 'refund.succeeded', 'wallet.debited'],
    how: 'A top-up is refunded as a whole.',
    async run(stage) {
      const { archipay, reference_id } = await paid(stage);
      await archipay.cards.refund({ ...CARD, ...USD, amount: '100.00', reference_id });
    },
  },
  {
    types: ['payment.partially_refunded'],
    how: 'A part of a top-up is refunded.',
    async run(stage) {
      const { archipay, reference_id } = await paid(stage);
      await archipay.cards.refund({ ...CARD, ...USD, amount: '40.00', reference_id });
    },
  },
  {
    types: ['payout.succeeded'],
    how: 'A user pushes money to a card.',
    async run(stage) {
      const { archipay } = await paid(stage);
      const { card_number } = CARD;
      const push = { ...USD, card_number, amount: '10.00', recipient_name: 'Ada Lovelace' };
      await archipay.cards.push(push);
    },
  },
  {
    types: ['refund.pending', 'payout.pending'],
    how: 'A part of a top-up is refunded, a part pushed to a card; the network has to answer.',
    mode: 'live',
    async run(stage) {
      const { archipay, reference_id } = await paid(stage);
      await archipay.cards.refund({ ...CARD, ...USD, amount: '40.00', reference_id });
      const { card_number } = CARD;
      const push = { ...USD, card_number, amount: '10.00', recipient_name: 'Ada Lovelace' };
      await archipay.cards.push(push);
    },
  },
  {
    types: ['payment.charged_back', 'payment.restored'],
    how: 'A card’s bank takes a top-up back, and loses the dispute.',
    mode: 'live',
    async run(stage) {
      const { transaction } = await paid(stage);
      await stage.network(transaction, 'CHARGEBACK');
      await stage.network(transaction, 'CHARGEBACK_REVERSED');
    },
  },
  {
    types: ['refund.came_back', 'refund.left_again'],
    how: 'A refund comes back from the card’s bank, and is paid after all.',
    mode: 'live',
    async run(stage) {
      const { archipay, reference_id } = await paid(stage);
      const refund = { ...CARD, ...USD, amount: '40.00', reference_id };
      const { data } = await archipay.cards.refund(refund);
      const transaction = await transactionOf(archipay, data.refund_id);
      await stage.network(transaction, 'REVERSED');
      await stage.network(transaction, 'COMPLETED');
    },
  },
  {
    types: ['payout.came_back', 'payout.left_again'],
    how: 'A push to a card comes back, and is paid after all.',
    mode: 'live',
    async run(stage) {
      const { archipay } = await paid(stage);
      const { card_number } = CARD;
      const push = { ...USD, card_number, amount: '10.00', recipient_name: 'Ada Lovelace' };
      const { data } = await archipay.cards.push(push);
      const transaction = await transactionOf(archipay, data.push_id);
      await stage.network(transaction, 'REVERSED');
      await stage.network(transaction, 'COMPLETED');
    },
  },
  {
    types: ['payment.updated', 'refund.updated', 'payout.updated'],
    how: 'The card network calls back with another status of a top-up, a refund and a push.',
    mode: 'mock',
    async run(stage) {
      const { archipay, reference_id } = await paid(stage);
      const { card_number } = CARD;
      const refund = { ...CARD, ...USD, amount: '40.00', reference_id };
      const push = { ...USD, card_number, amount: '10.00', recipient_name: 'Ada Lovelace' };
      const refunded = await archipay.cards.refund(refund);
      const pushed = await archipay.cards.push(push);
      const names = [refunded.data.refund_id, pushed.data.push_id];
      for (const reference of [reference_id, ...names]) {
        const transactionIdentifier = await transactionOf(archipay, reference);
        const told = { transactionIdentifier, status: 'FUNDS_AVAILABLE' };
        await archipay.callbacks.receiveCard(told as never);
      }
    },
  },
  {
    types: ['payout.processing'],
    how: 'A user withdraws to a bank account; the bank has taken the order.',
    mode: 'live',
    run: async (stage) => void (await withdrawal(stage)),
  },
  {
    types: ['payout.cancelled'],
    how: 'A user cancels a withdrawal that is to be made later.',
    async run(stage) {
      const { now } = await stage.sandbox.call<{ now: string }>('GET', '/clock');
      const execute_at = new Date(Date.parse(now) + 3_600_000).toISOString();
      const { archipay, wallet_id, withdrawal_id } = await withdrawal(stage, { execute_at });
      await archipay.withdrawals.cancel({ wallet_id, withdrawal_id });
    },
  },
  {
    types: ['wallet.frozen', 'wallet.unfrozen'],
    how: 'The operator freezes a wallet, and unfreezes it.',
    async run(stage) {
      const wallet_id = await stage.wallet(await stage.person());
      const operator = await stage.operator();
      await operator.fiatWallets.freeze({ wallet_id, reason: 'A trigger' });
      await operator.fiatWallets.unfreeze({ wallet_id, reason: 'A trigger' });
    },
  },
  {
    types: ['bank_connection.linked', 'bank_connection.unlinked'],
    how: 'A user links a bank account to a wallet, and unlinks it.',
    async run(stage) {
      const { archipay, wallet_id } = await linked(stage);
      await archipay.bankLink.unlink({ wallet_id });
    },
  },
  {
    types: ['payment.returned'],
    mode: 'live',
    how: 'A bank takes back a top-up that had arrived.',
    async run(stage) {
      const { archipay, wallet_id } = await linked(stage);
      const { transaction_id } = await archipay.bankLink.topUp({ wallet_id, amount: '30.00' });
      const step = (event_type: string) =>
        stage.sandbox.call('POST', `/banklink/transfers/${transaction_id}/events`, { event_type });
      for (const one of ['posted', 'settled', 'returned']) await step(one);
    },
  },
];

export const BANKING: readonly Recipe[] = [
  {
    types: ['recipient.created', 'recipient.changed', 'recipient.deleted'],
    how: 'A user keeps a recipient, renames and deletes it.',
    async run(stage) {
      const person = await stage.person();
      const recipient_id = await recipient(person);
      await person.archipay.recipients.update({ recipient_id, name: 'Grace B. Lee' });
      await person.archipay.recipients.delete({ recipient_id });
    },
  },
  {
    types: ['recipient.verified'],
    how: 'The bank says whether an account is in the recipient’s name.',
    async run(stage) {
      const person = await stage.person();
      const recipient_id = await recipient(person);
      await person.archipay.recipients.verify({ recipient_id });
    },
  },
  {
    types: ['wallet_transfer.completed'],
    how: 'A user sends money to another user’s wallet.',
    async run(stage) {
      const { from, from_wallet_id, to_wallet_id } = await two(stage);
      const to = { wallet_id: to_wallet_id };
      await from.archipay.walletTransfers.send({ from_wallet_id, to, amount: '20.00' });
    },
  },
  {
    types: ['wallet_transfer.pending', 'wallet_transfer.cancelled'],
    how: 'A user sends money to an address without an account, and takes it back.',
    async run(stage) {
      const { from, transfer_id } = await claimable(stage);
      await from.archipay.walletTransfers.cancel({ transfer_id });
    },
  },
  {
    types: ['wallet_transfer.expired'],
    how: 'Nobody claims money that was sent to an address without an account.',
    movesClock: true,
    async run(stage) {
      await claimable(stage, { claim_expires_in_s: 3600 });
      await stage.clock(3700);
    },
  },
  {
    types: ['wallet_hold.placed', 'wallet_hold.captured'],
    how: 'A user sets money aside for another, who takes it.',
    async run(stage) {
      const { to, hold_id } = await held(stage);
      await to.archipay.walletHolds.capture({ hold_id });
    },
  },
  {
    types: ['wallet_hold.voided', 'wallet.hold_placed', 'wallet.hold_released'],
    how: 'A payee lets money go that was set aside for them.',
    async run(stage) {
      const { to, hold_id } = await held(stage);
      await to.archipay.walletHolds.void({ hold_id });
    },
  },
  {
    types: ['wallet_hold.expired'],
    how: 'Nobody takes money that was set aside.',
    movesClock: true,
    async run(stage) {
      await held(stage, { expires_in_s: 3600 });
      await stage.clock(3700);
    },
  },
  {
    types: ['invoice.created', 'invoice.cancelled'],
    how: 'A merchant makes an invoice, and cancels it.',
    async run(stage) {
      const { to, invoice_id } = await invoice(stage);
      await to.archipay.invoices.cancel({ invoice_id });
    },
  },
  {
    types: ['invoice.paid', 'invoice.refunded'],
    how: 'A person pays an invoice from a wallet; the merchant gives a part back.',
    async run(stage) {
      const { from, to, from_wallet_id, invoice_id } = await invoice(stage);
      await from.archipay.invoices.pay({ invoice_id, from_wallet_id });
      await to.archipay.invoiceRefunds.create({ invoice_id, amount: '5.00', reason: 'A trigger' });
    },
  },
  {
    types: ['invoice.expired'],
    how: 'Nobody pays an invoice in time.',
    movesClock: true,
    async run(stage) {
      await invoice(stage, { expires_in_s: 3600 });
      await stage.clock(3700);
    },
  },
];
