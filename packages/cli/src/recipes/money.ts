import type { Archipay } from '../../../sdk/src/archipay.ts';
import type { Recipe } from './recipe.ts';
import { CARD, type Stage } from './stage.ts';

const USD = { currency_code: 'USD' } as const;

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
        const notice = { transactionIdentifier, status: 'FUNDS_AVAILABLE' };
        await archipay.callbacks.receiveCard(notice as never);
      }
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
