import type { Recipe } from './recipe.ts';
import type { Stage } from './stage.ts';

/** A verified person with a virtual card. */
async function card(stage: Stage) {
  const person = await stage.person();
  const { archipay, user_id } = person;
  await archipay.verification.createLink({ userId: user_id });
  await stage.review(user_id, 'GREEN');
  await stage.until('the verification', async () => {
    const { data } = await archipay.users.get({ user_id });
    return data.ekyc_status === 'APPROVED';
  });
  const wallet_id = await stage.wallet(person, 'USD', '50.00');
  const { data } = await archipay.issuedCards.create({ wallet_id, name_on_card: 'Ada Lovelace' });
  return { ...person, card_id: data.card_id };
}

/** A card that pays, and what a shop does with it. */
async function usable(stage: Stage) {
  const person = await card(stage);
  const { archipay, card_id } = person;
  await archipay.issuedCards.activate({ card_id });
  const shop = (act: string, body: object) =>
    stage.sandbox.call<{ transaction: { token: string } }>(
      'POST',
      `/issuing/cards/${card_id}/${act}`,
      body,
    );
  return { archipay, card_id, shop };
}

/** A dispute of what a card has paid, at the network. */
async function dispute(stage: Stage) {
  const { archipay, card_id, shop } = await usable(stage);
  const { transaction } = await shop('authorize', { amount: 12.5 });
  await shop('settle', { amount: 12.5, transaction: transaction.token, final: true });
  const paid = await stage.until('the settlement', async () => {
    const { data } = await archipay.cardTransactions.list({ card_id });
    return data.items.find(({ status }) => status === 'SETTLED');
  });
  const { data } = await archipay.cardDisputes.create({
    transaction_id: paid.transaction_id,
    reason: 'NOT_RECEIVED',
    explanation: 'The parcel has not come',
  });
  const { dispute_id } = data;
  await archipay.cardDisputes.update({ dispute_id, explanation: 'The parcel has never come' });
  await archipay.cardDisputes.submit({ dispute_id });
  const reached = (status: string) =>
    stage.until(`the dispute ${status}`, async () => {
      const read = await archipay.cardDisputes.get({ dispute_id });
      return read.data.status === status && read.data.network_events.length > 0;
    });
  const news = async (type: string, status: string) => {
    await stage.sandbox.call('POST', `/issuing/disputes/${dispute_id}/news`, { type });
    await reached(status);
  };
  await reached('SUBMITTED');
  return { archipay, dispute_id, news };
}

export const ISSUING: readonly Recipe[] = [
  {
    types: [
      ...['card_dispute.draft', 'card_dispute.updated', 'card_dispute.submitted'],
      ...['card_dispute.pending_response', 'card_dispute.prearbitration', 'card_dispute.won'],
    ],
    how: 'A person disputes a card payment, contradicts the shop, and the network decides for them.',
    async run(stage) {
      const { archipay, dispute_id, news } = await dispute(stage);
      await news('representment', 'PENDING_RESPONSE');
      await archipay.cardDisputes.respond({ dispute_id, response: 'It was another parcel' });
      await stage.until('the response', async () => {
        const { data } = await archipay.cardDisputes.get({ dispute_id });
        return data.network_events.length > 2;
      });
      await news('won', 'WON');
    },
  },
  {
    types: ['card_transaction.declined'],
    how: 'A shop asks for more than the wallet of a card has.',
    run: async (stage) => void (await (await usable(stage)).shop('authorize', { amount: 5000 })),
  },
  {
    types: ['card_transaction.flagged'],
    how: 'A petrol station asks for one dollar, and settles forty.',
    async run(stage) {
      const { shop } = await usable(stage);
      const { transaction } = await shop('authorize', { amount: 1 });
      await shop('settle', { amount: 40, transaction: transaction.token, final: true });
    },
  },
  {
    types: ['card_dispute.lost'],
    how: 'The card network decides for the shop.',
    async run(stage) {
      const { news } = await dispute(stage);
      await news('lost', 'LOST');
    },
  },
  {
    types: ['card_dispute.rejected'],
    how: 'The card network does not take a dispute.',
    async run(stage) {
      const { news } = await dispute(stage);
      await news('rejected', 'REJECTED');
    },
  },
  {
    types: ['card_dispute.withdrawn'],
    how: 'A person gives a dispute up.',
    async run(stage) {
      const { archipay, dispute_id } = await dispute(stage);
      await archipay.cardDisputes.withdraw({ dispute_id });
    },
  },
  {
    types: ['card.created', 'card.issued', 'card.activated', 'card.frozen', 'card.unfrozen'],
    how: 'A verified person gets a card, activates, freezes and unfreezes it.',
    async run(stage) {
      const { archipay, card_id } = await card(stage);
      await archipay.issuedCards.activate({ card_id });
      await archipay.issuedCards.freeze({ card_id });
      await archipay.issuedCards.unfreeze({ card_id });
    },
  },
  {
    types: ['card.changed', 'card.closed'],
    how: 'A person limits a card, and closes it.',
    async run(stage) {
      const { archipay, card_id } = await card(stage);
      await archipay.issuedCards.setControls({ card_id, online: false });
      await archipay.issuedCards.close({ card_id, reason: 'USER' });
    },
  },
  {
    types: ['card.replaced'],
    how: 'A person replaces a lost card.',
    async run(stage) {
      const { archipay, card_id } = await card(stage);
      await archipay.issuedCards.replace({ card_id, reason: 'LOST' });
    },
  },
];
