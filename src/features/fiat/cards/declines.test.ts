import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';

const h = await harness();
const DECLINED = '4000000000000002';
const GOOD = '4111111111111111';

const validate = (as: Person, card_number: string) =>
  h.call('POST /card-checkout/card/validate', {
    as,
    body: { card_number, expiry_date: '1239', cvv: '123' },
  });
const checkOut = (as: Person, card_number: string) =>
  h.call('POST /card-checkout/card', {
    as,
    body: { card_number, expiry_date: '1239', amount: '5', currency_code: 'USD' },
  });

test('a user who tries out cards is refused at every endpoint, and no other user is', async () => {
  const { client_id } = await h.client({ country_code: 'US' });
  const [thief, other] = [await h.user({ client_id }), await h.user({ client_id })];
  for (let n = 0; n < 10; n += 1) {
    expect((await validate(thief, DECLINED))[0]).toBe(400);
    expect((await checkOut(thief, DECLINED))[0]).toBe(400);
  }
  for (const tryOut of [validate, checkOut])
    for (const card of [DECLINED, GOOD])
      expect(await tryOut(thief, card)).toMatchObject([
        429,
        { error: 'Too many declined cards, try again later', code: 'RATE_LIMITED' },
      ]);
  expect((await checkOut(other, GOOD))[0]).toBe(200);
  await h.advance(3601);
  expect((await checkOut(thief, GOOD))[0]).toBe(200);
});

test('trying out many cards at once while the network is slow passes no more', async () => {
  const live = await harness({ mock: false });
  const [thief, payer] = [await live.user(), await live.user()];
  // The payer is behind the same address, with a client that the platform has approved.
  const approved = { client_status: 'ACTIVE' };
  const { client_id } = payer;
  await live.db.updateTable('clients').set(approved).where('client_id', '=', client_id).execute();
  const faults = { provider: 'card-network', kind: 'delay', times: 200, ms: 500 };
  await live.sandbox('POST', '/faults', faults);
  const pay = async (as: Person, card_number: string) => {
    const body = { card_number, expiry_date: '1239', amount: '5', currency_code: 'USD' };
    const [status] = await live.call('POST /card-checkout/cardcc', { as, body });
    return status;
  };
  const atOnce = (n: number, as: Person, card: string) =>
    Promise.all(Array.from({ length: n }, () => pay(as, card)));
  const [tried, paid] = await Promise.all([atOnce(120, thief, DECLINED), atOnce(60, payer, GOOD)]);
  const asked = tried.filter((status) => status === 400).length;
  // Those in flight when the twentieth was declined.
  expect(asked).toBeLessThanOrEqual(19 + 64);
  expect(tried.filter((status) => status === 429)).toHaveLength(120 - asked);
  expect(paid).toEqual(Array(60).fill(200));
  expect(await pay(thief, GOOD)).toBe(429);
});
