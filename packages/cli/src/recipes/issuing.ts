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

export const ISSUING: readonly Recipe[] = [
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
