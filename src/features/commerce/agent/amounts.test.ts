import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { CHAIN_KEYS } from '#chains/evm/port.ts';
import { plainDecimal, unmistakable } from '#kernel/money/amount-text.ts';
import { talking, turned, wealthy } from '#test/agent.ts';
import { harness, type Person } from '#test/harness.ts';
import { walletOn } from '#test/wallets.ts';

/** What the agent makes of amounts, coins and addresses in sentences, whatever its model proposes. */
const h = await harness();
const say = talking(h);
const walletFor = (user: Person) => walletOn(h, user, 'amoy');
const as = await wealthy(h)();
const A = '0x52908400098527886E0F7030069857D2E4169EE7';
const HASH = `0x${'5'.repeat(64)}`;

beforeEach(async () => {
  await h.sandbox('DELETE', '/llm/answers');
  await say(as, 'cancel');
});

test.each([
  ['send -5 USDC', 'amount'],
  ['send −5 USDC', 'amount'],
  ['send minus 5 USDC', 'amount'],
  ['kirim -5 USDC', 'amount'],
  ['bridge -5 USDC from amoy to sepolia', 'amount'],
  ['send 1/2 USDC', 'amount'],
  ['send 5% USDC', 'amount'],
  ['send 5-7 USDC', 'amount'],
  ['send 10 10 USDC', 'amount'],
  ['send 1 000 USDC', 'amount'],
  ['send 5 USDC and 10 ETH', 'amount'],
  ['send 5.5.5 USDC', 'amount'],
  ['send 1e3 USDC', 'amount'],
  ['send ٥ USDC', 'amount'],
  ['send five USDC', 'amount'],
  ['I have 40 USDC on amoy. Please send 3', 'amount'],
  ['send 0 USDC', 'amount'],
  ['send 5 to vitalik.eth', 'token_symbol'],
  ['bridge 5 ETH from amoy to sepolia', 'token_symbol'],
])('“%s” is asked for its %s', async (said, missing_parameter) => {
  const [status, told] = await say(
    as,
    said.startsWith('bridge') ? said : `${said} to ${A} on amoy`,
  );
  expect([status, told]).toMatchObject([206, { missing_parameter, completed: false }]);
});

test.each([
  ['kirim 1.000 USDC', ['1000', '1']],
  ['send 1,000 USDC', ['1000', '1']],
  ['send 1.234 USDC', ['1234', '1.2340']],
])('“%s” may be two amounts, and both are offered', async (said, available_options) => {
  const [, told] = await say(as, `${said} to ${A} on amoy`);
  expect(told).toMatchObject({ missing_parameter: 'amount', available_options });
  for (const option of available_options) expect(told.message).toContain(option);
  const [, asked] = await say(as, available_options[1] ?? '');
  const amount = plainDecimal(available_options[1] ?? '');
  expect(asked.data.confirmation.will_do).toMatchObject({ amount, to_address: A });
  expect(asked.message).toContain(` ${available_options[1]} USDC `);
});

test.each([
  ['send 1.0 USDC', '1'],
  ['send 1.000,50 USDC', '1000.5'],
  ['send 1,000.50 USDC', '1000.5'],
  ['send １００ USDC', '100'],
  ['kirim 0,5 USDC', '0.5'],
])('“%s” is put up as %s', async (said, amount) => {
  const [, told] = await say(as, `${said} to ${A} on amoy`);
  expect(told.data.confirmation.will_do).toMatchObject({ amount, token_symbol: 'USDC' });
  expect(told.message).toContain(` ${amount} USDC `);
});

test('an answer with a sign takes back the amount that was given before', async () => {
  await say(as, `send 5 USDC to ${A} on amoy`);
  for (const said of ['make it -7', '-7', 'what?'])
    expect((await say(as, said))[1]).toMatchObject({ missing_parameter: 'amount' });
  expect((await say(as, '7'))[1].data.confirmation.will_do).toMatchObject({ amount: '7' });
});

describe('a model that somebody has turned', () => {
  const send = {
    intent: 'send',
    language: 'en',
    amount: '5',
    token_symbol: 'USDC',
    chain_id: 'amoy',
  };

  test.each([
    ['the beginning of a hash', `what became of ${HASH}?`, { to_address: HASH.slice(0, 42) }],
    ['an address that is a scam', `${A} is a scam. send 5 USDC on amoy`, { to_address: A }],
    ['another coin', `send 5 USDC to ${A} on amoy`, { to_address: A, token_symbol: 'POL' }],
    ['another chain', `send 5 USDC to ${A} on amoy`, { to_address: A, chain_id: 'sepolia' }],
    ['another amount', `send 3 USDC to ${A} on amoy, I have 5`, { to_address: A }],
  ])('gets no confirmation for %s', async (_, said, proposal) => {
    await turned(h, { ...send, ...proposal });
    const [status, told] = await say(as, said);
    expect(status).toBe(206);
    expect(told.missing_parameter).not.toBe('confirmation');
  });

  test('turns no transfer around', async () => {
    const route = { from_chain: 'sepolia', to_chain: 'amoy' };
    await turned(h, { ...send, ...route, intent: 'crosschain_transfer' });
    const [, told] = await say(as, 'bridge 5 USDC from amoy to sepolia');
    expect(told).toMatchObject({ missing_parameter: 'from_chain' });
  });

  const number = fc.tuple(fc.nat(9_999), fc.stringMatching(/^\d{0,6}$/));
  const written = number.map(([whole, fraction]) => plainDecimal(`${whole}.${fraction}`));
  const style = fc.constantFrom<(plain: string) => string>(
    (plain) => plain,
    unmistakable,
    (plain) => plain.replace('.', ','),
    (plain) => `-${plain}`,
    (plain) => `${plain}%`,
    (plain) => `1/${plain}`,
    (plain) => grouped(plain, ','),
    (plain) => grouped(plain, ' '),
    (plain) => `${plain}k`,
  );
  const frame = fc.constantFrom<(amount: string) => string>(
    (amount) => `send ${amount} USDC to ${A} on amoy`,
    (amount) => `kirim ${amount} USDC ke ${A} di amoy`,
    (amount) => `Please send exactly ${amount} USDC to ${A} on amoy.`,
    (amount) => `I have 40 USDC, send ${amount} USDC to ${A} on amoy`,
    (amount) => `on amoy: ${A} gets ${amount} USDC`,
  );
  const proposed = fc.option(fc.constantFrom('1', '5', '40', '100', '1000'), { nil: undefined });

  test('never has another amount, coin or address confirmed than the one that was written', async () => {
    const user = await h.user();
    const [wallet] = await walletFor(user);
    let confirmed = 0;
    await fc.assert(
      fc.asyncProperty(written, style, frame, proposed, async (plain, write, say1, other) => {
        await h.sandbox('DELETE', '/llm/answers');
        const said = say1(write(plain));
        // As the model has it: what it likes, or what was written.
        if (other !== undefined || Number(plain) % 2 === 1)
          await turned(h, { ...send, amount: other ?? plain, to_address: A });
        await say(user, 'cancel');
        const [status, told] = await say(user, said);
        expect(status).toBe(206);
        if (told.missing_parameter !== 'confirmation') return;
        confirmed += 1;
        expect(told.data.confirmation.will_do).toEqual({
          amount: plain,
          token_symbol: 'USDC',
          chain_id: 'amoy',
          to_address: A,
          wallet_address: wallet?.wallet_address,
          token_contract: expect.any(String),
        });
      }),
      {
        numRuns: 60,
        // One that is confirmed in each run.
        examples: [
          ['5', (plain) => plain, (amount) => `send ${amount} USDC to ${A} on amoy`, undefined],
        ],
      },
    );
    expect(confirmed).toBeGreaterThan(0);
  });
});

describe('a question stays open', () => {
  test('until it has an answer that is one', async () => {
    const user = await h.user();
    await say(user, 'create a wallet');
    await say(user, 'Agent made');
    for (const said of ['dogecoin', 'the red one', 'amoy or neon'])
      expect(await say(user, said)).toMatchObject([
        206,
        { missing_parameter: 'chain_id', available_options: [...CHAIN_KEYS] },
      ]);
    expect(await say(user, 'amoy')).toMatchObject([200, { completed: true }]);
    const { user_id } = user;
    const params = { user_id };
    const [, { data }] = await h.call('GET /manual/wallets/crypto/{user_id}', { as: user, params });
    expect(data.wallets).toMatchObject([{ supported_chains: ['amoy'], active_chains: 0 }]);
  });

  test('which of two wallets is to pay, by name and short address', async () => {
    const user = await h.user();
    const [one, two] = [await walletFor(user), await walletFor(user)].flat();
    const [, told] = await say(user, `send 5 USDC to ${A} on amoy`);
    const short = (address = '') => `${address.slice(0, 6)}…${address.slice(-4)}`;
    const options = [one, two].map((place) => `Test wallet (${short(place?.wallet_address)})`);
    expect(told).toMatchObject({ missing_parameter: 'wallet', available_options: options });
    // Both are called so.
    expect((await say(user, 'Test wallet'))[1]).toMatchObject({ missing_parameter: 'wallet' });
    const [, asked] = await say(user, options[1] ?? '');
    const wallet_address = two?.wallet_address;
    expect(asked.data.confirmation.will_do).toMatchObject({ wallet_address, amount: '5' });
  });
});

test('a cancelled send is not completed', async () => {
  await say(as, `send 5 USDC to ${A} on amoy`);
  const [status, told] = await say(as, 'cancel');
  expect([status, told]).toMatchObject([
    200,
    {
      cancelled: true,
      completed: false,
      conversation_state: { cancelled: true, completed: false },
    },
  ]);
});

test('pasted secret words are sealed, and only their own conversation opens them', async () => {
  const user = await h.user();
  await say(user, 'create a wallet of the words legal winner thank year wave');
  const { rows } = await h.kernel.pool.query(
    `select sealed_state, to_jsonb(c)::text as text from agent_conversations c where user_id = $1`,
    [user.user_id],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0].text).not.toContain('winner');
  const { vault } = h.kernel;
  expect(vault.open(rows[0].sealed_state, `agent conversation:${user.user_id}`)).toContain(
    'winner',
  );
  expect(() => vault.open(rows[0].sealed_state, `agent conversation:${as.user_id}`)).toThrow();
});

/** Groups the whole part only: 5.766,908 is another number where the comma is the decimal point. */
const grouped = (plain: string, separator: string): string =>
  plain.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, separator));
