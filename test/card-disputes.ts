import { run } from '#kernel/db/db.ts';
import type { RouteId } from '#kernel/http/declare/route.ts';
import type { Body, Harness, Person } from './harness.ts';
import { type CardHolder, issuedCards, type Played } from './issued-cards.ts';

type News = 'representment' | 'prearbitration' | 'arbitration' | 'won' | 'lost' | 'rejected';

/** What tests of disputes do. */
export function cardDisputes(h: Harness) {
  const cards = issuedCards(h);
  const { cardHolder, play, paid } = cards;

  /** What a shop was paid by a card. */
  async function bought(of: CardHolder, amount: number): Promise<Played & { ctx: string }> {
    const { transaction } = await play(of, 'authorize', { amount });
    const settled = await play(of, 'settle', { amount, transaction: transaction.token });
    return { ...settled, ctx: (await paid(of))[0]?.transaction_id };
  }

  const dispute = (as: Person, ctx: string, body: object = {}): Promise<[number, Body]> =>
    h.call('POST /cards/transactions/{transaction_id}/disputes', {
      as,
      params: { transaction_id: ctx },
      body: { reason: 'NOT_RECEIVED', explanation: 'It has not come', ...body },
    });

  const act = async (
    as: Person,
    what: 'submit' | 'respond' | 'withdraw',
    dispute_id: string,
    body: object = {},
  ): Promise<[number, Body]> => {
    const id = `POST /cards/disputes/{dispute_id}/${what}` as RouteId;
    const answer = await h.call(id, { as, params: { dispute_id }, body });
    await h.drain();
    return answer;
  };

  async function read(as: Person, dispute_id: string): Promise<Body> {
    const params = { dispute_id };
    return (await h.call('GET /cards/disputes/{dispute_id}', { as, params }))[1].data;
  }

  /** Has the network do something with a dispute, of which the service hears. */
  async function news(dispute_id: string, type: News, quiet = false): Promise<Body> {
    const done = await h.sandbox('POST', `/issuing/disputes/${dispute_id}/news`, { type, quiet });
    await h.drain();
    return done;
  }

  /** A dispute that the network has. */
  async function submitted(of: CardHolder, amount: number, body: object = {}): Promise<string> {
    const { ctx } = await bought(of, amount);
    const [, { data }] = await dispute(of, ctx, body);
    await act(of, 'submit', data.dispute_id);
    return data.dispute_id;
  }

  /** What the house has in an account of dollars, in cents. */
  async function house(purpose: string): Promise<bigint> {
    const [row] = await run<{ posted: bigint }>(
      h.db,
      `select coalesce(sum(posted), 0) as posted from ledger.accounts where owner = 'house' and purpose = $1 and asset = 'USD'`,
      [purpose],
    );
    return row?.posted ?? 0n;
  }

  /** What the house has credited for disputes that are not decided, beside what its account says; both in cents. */
  async function credited(): Promise<readonly [bigint, bigint]> {
    const [row] = await run<{ open: bigint }>(
      h.db,
      'select coalesce(sum(credit - (won - surplus)), 0) as open from card_payments',
      [],
    );
    return [-(row?.open ?? 0n), await house('card-disputes')];
  }

  /** Sends a file; answers its id. */
  async function file(as: Person, text: string, sent: { type?: string; purpose?: string } = {}) {
    const { type = 'application/pdf', purpose = 'dispute_evidence' } = sent;
    const answer = await fetch(`${h.app.apiUrl()}/files?purpose=${purpose}`, {
      method: 'POST',
      body: text,
      headers: { 'x-api-key': h.key, authorization: `Bearer ${as.token}`, 'content-type': type },
    });
    const { data } = (await answer.json()) as Body;
    return data.file_id as string;
  }

  return {
    ...cards,
    file,
    cardHolder,
    bought,
    dispute,
    act,
    read,
    news,
    submitted,
    house,
    credited,
  };
}
