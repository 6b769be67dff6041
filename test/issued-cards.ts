import { uuidOfObjectId } from '#kernel/object-id.ts';
import { banking } from './banking.ts';
import type { Body, Harness, Person } from './harness.ts';

/** A person with an active card. */
export interface CardHolder extends Person {
  readonly wallet_id: number;
  readonly account_id: number;
  readonly card_id: string;
}

export type NetworkAct =
  | ('authorize' | 'increment' | 'reverse' | 'settle' | 'refund' | 'advice' | 'verify')
  | ('balance' | 'adjust' | 'decline');

/** What the network did, and what the service has answered. */
export interface Played {
  readonly status: number;
  readonly answer: Body;
  readonly transaction: Body;
  readonly ms: number;
}

/** What tests of issued cards do. */
export function issuedCards(h: Harness) {
  const { give, balance, sums } = banking(h);

  /** A verified person with so much in a wallet, and an active card on it. */
  async function cardHolder(
    amount: string,
    card: object = {},
    fields: { client_id?: number } = {},
  ): Promise<CardHolder> {
    const person = await h.user({ ekyc_status: 'APPROVED', ...fields });
    const wallet = await give(person.user_id, amount);
    const body = { wallet_id: wallet.wallet_id, name_on_card: 'Siti Rahma', ...card };
    const [, made] = await h.call('POST /cards', { as: person, body });
    const { card_id } = made.data;
    const params = { card_id };
    await h.call('POST /cards/{card_id}/activate', { as: person, params, body: {} });
    return { ...person, ...wallet, card_id };
  }

  /** Has the network do something with a card; the service is notified, and has handled it. */
  async function play(of: CardHolder, act: NetworkAct, body: object = {}): Promise<Played> {
    const done = await h.sandbox('POST', `/issuing/cards/${of.card_id}/${act}`, {
      quiet: true,
      ...body,
    });
    await notify(done.transaction.token);
    return done;
  }

  /** The same without a word to the service. */
  const playQuietly = (of: CardHolder, act: NetworkAct, body: object = {}): Promise<Played> =>
    h.sandbox('POST', `/issuing/cards/${of.card_id}/${act}`, { quiet: true, ...body });

  async function notify(token: string): Promise<void> {
    await h.sandbox('POST', `/issuing/transactions/${token}/notify`);
    await h.drain();
  }

  /** What a card has paid, newest first. */
  async function paid(of: CardHolder): Promise<Body[]> {
    const params = { card_id: of.card_id };
    const [, { data }] = await h.call('GET /cards/{card_id}/transactions', { as: of, params });
    return data.items;
  }

  return { cardHolder, play, playQuietly, notify, paid, balance, sums, give };
}

/** Its UUID, as the processor knows it. */
export const cardUuid = (card_id: string): string => uuidOfObjectId('crd', card_id) ?? '';

/** By what the processor of the sandbox proves its calls. */
export const processorProof = (): Record<string, string> => ({
  'content-type': 'application/json',
  authorization: `Basic ${Buffer.from('archipay:A1-sandbox-issuing-calls').toString('base64')}`,
});
