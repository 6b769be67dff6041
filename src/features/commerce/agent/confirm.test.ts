import { describe, expect, test } from 'vitest';
import { payees, talking, wealthy } from '#test/agent.ts';
import { harness, type Person } from '#test/harness.ts';

const h = await harness();
const say = talking(h);
const { sepolia } = h.app.evm.chains;

const rich = wealthy(h);
const { fresh, received } = payees(h);
const sends = ({ user_id }: Person) =>
  h.db.selectFrom('onchain_sends').select('operation').where('user_id', '=', user_id).execute();
const rich1 = await rich();

describe('a yes', () => {
  test('sends exactly the shown body, under the confirmation’s id', async () => {
    const to = fresh();
    const [asked, question] = await say(rich1, `Send 1.5 USDC to ${to} on amoy`);
    expect([asked, question.available_options]).toEqual([206, ['yes', 'no']]);
    expect(await sends(rich1)).toEqual([]);
    const [status, told] = await say(rich1, 'Yes, please.');
    expect([status, told]).toMatchObject([
      200,
      {
        intent_type: 'send',
        completed: true,
        data: { transaction: { tx_hash: expect.any(String), status: 'CONFIRMED' } },
      },
    ]);
    expect(await received(to)).toBe(1_500_000n);
    const { confirmation_id } = question.data.confirmation;
    expect(await sends(rich1)).toEqual([{ operation: confirmation_id }]);

    // Said again, it is told what came of it, and nothing more is sent.
    const [, again] = await say(rich1, 'yes');
    expect(again.data.transaction.tx_hash).toBe(told.data.transaction.tx_hash);
    expect(await received(to)).toBe(1_500_000n);
  });

  test('said twenty times at once sends once, and all answers agree', async () => {
    const as = await rich();
    const to = fresh();
    await say(as, `Kirim 2 USDC ke ${to} di amoy`);
    const answers = await Promise.all(Array.from({ length: 20 }, () => say(as, 'ya')));
    const hashes = answers.map(([, told]) => told.data?.transaction?.tx_hash);
    expect(answers.map(([status]) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(hashes).size).toBe(1);
    expect(await received(to)).toBe(2_000_000n);
    expect(await sends(as)).toHaveLength(1);
  });

  test('moves USDC to another chain, once', async () => {
    const as = await rich();
    const to = fresh();
    await say(as, `Bridge 3 USDC from amoy to sepolia for ${to}`);
    const answers = await Promise.all(Array.from({ length: 5 }, () => say(as, 'yes')));
    for (const [status, told] of answers)
      expect([status, told]).toMatchObject([
        200,
        { completed: true, data: { transaction: { status: 'MINTED', amount: '3' } } },
      ]);
    expect(await received(to, sepolia)).toBe(3_000_000n);
    const { rows } = await h.kernel.pool.query(
      'select status from crosschain_transfers where user_id = $1',
      [as.user_id],
    );
    expect(rows).toEqual([{ status: 'MINTED' }]);
  });

  test('for more than there is moves nothing, and says what is missing', async () => {
    const as = await rich();
    await say(as, `Send 5000 USDC to ${fresh()} on amoy`);
    expect(await say(as, 'yes')).toMatchObject([400, { error: { code: 'INSUFFICIENT_FUNDS' } }]);
    expect(await say(as, 'yes')).toMatchObject([400, { error: { code: 'INSUFFICIENT_FUNDS' } }]);
    expect(await sends(as)).toEqual([]);
  });

  test.each(['yes, but make it 5', 'yes to the other address', 'yes?', 'why yes', 'of course not'])(
    'is no yes with anything beside it: %s',
    async (input) => {
      const as = rich1;
      const to = fresh();
      await say(as, 'cancel');
      await say(as, `Send 1 USDC to ${to} on amoy`);
      expect((await say(as, input))[1].completed).toBe(false);
      expect(await received(to)).toBe(0n);
    },
  );
});

describe('a bare yes is not enough', () => {
  test('once the wish has changed: it asks for the code that goes with it', async () => {
    const as = await rich();
    const [to, other] = [fresh(), fresh()];
    await say(as, `Send 1 USDC to ${to} on amoy`);
    const [, changed] = await say(as, `make it 4 to ${other}`);
    const { code, will_do } = changed.data.confirmation;
    expect(will_do).toMatchObject({ amount: '4', to_address: other });
    expect(changed.available_options).toEqual([`yes ${code}`, 'no']);
    expect(await say(as, 'yes')).toMatchObject([206, { missing_parameter: 'confirmation' }]);
    const wrong = String((Number(code) + 1) % 10_000).padStart(4, '0');
    expect(await say(as, `yes ${wrong}`)).toMatchObject([206, { completed: false }]);
    expect([await received(to), await received(other)]).toEqual([0n, 0n]);
    expect(await say(as, `yes ${code}`)).toMatchObject([200, { completed: true }]);
    expect([await received(to), await received(other)]).toEqual([0n, 4_000_000n]);
  });

  test('after something else was talked about', async () => {
    const as = rich1;
    const to = fresh();
    await say(as, 'cancel');
    const [, asked] = await say(as, `Send 1 USDC to ${to} on amoy`);
    await say(as, 'What is my balance?');
    expect(await say(as, 'yes')).toMatchObject([206, { missing_parameter: 'confirmation' }]);
    expect(await received(to)).toBe(0n);
    expect((await say(as, `yes ${asked.data.confirmation.code}`))[1].completed).toBe(true);
    expect(await received(to)).toBe(1_000_000n);
  });

  test('after five minutes', async () => {
    const as = rich1;
    const to = fresh();
    const [, asked] = await say(as, `Send 1 USDC to ${to} on amoy`);
    await h.advance(301);
    for (const input of ['yes', `yes ${asked.data.confirmation.code}`])
      expect(await say(as, input)).toMatchObject([206, { completed: false }]);
    expect(await received(to)).toBe(0n);
  });

  test('after a no', async () => {
    const as = rich1;
    const to = fresh();
    await say(as, `Send 1 USDC to ${to} on amoy`);
    expect(await say(as, 'no')).toMatchObject([200, { cancelled: true, intent_type: 'cancel' }]);
    expect(await say(as, 'yes')).toMatchObject([206, { missing_parameter: 'intent' }]);
    expect(await received(to)).toBe(0n);
  });

  test('where there was no question', async () => {
    expect(await say(await h.user(), 'yes')).toMatchObject([206, { missing_parameter: 'intent' }]);
  });
});

test('of a yes and a no at the same moment one counts', async () => {
  const as = await rich();
  const to = fresh();
  await say(as, `Send 1 USDC to ${to} on amoy`);
  const answers = await Promise.all([say(as, 'yes'), say(as, 'no')]);
  const isCancelled = answers.some(([, told]) => told.cancelled);
  await h.drain();
  expect(await received(to)).toBe(isCancelled ? 0n : 1_000_000n);
});
