import { describe, expect, test } from 'vitest';
import { talking } from '#test/agent.ts';
import { harness } from '#test/harness.ts';
import { fund, setAside, walletOn } from '#test/wallets.ts';

const h = await harness();
const say = talking(h);
const { idr_token } = h.app.evm.chains.amoy.contracts;
const OTHER = '0x52908400098527886E0F7030069857D2E4169EE7';

const settled = await h.user();
const [, home] = await walletOn(h, settled, 'sepolia', 'amoy');

describe('what is understood, in both languages:', () => {
  test.each<[string, string, object]>([
    [
      'en',
      'Create a wallet named Savings on sepolia',
      { intent_type: 'create_wallet', completed: true },
    ],
    [
      'id',
      'Buatkan dompet bernama Tabungan di Polygon',
      { intent_type: 'create_wallet', completed: true },
    ],
    [
      'en',
      'Add an address on neon to "Test wallet"',
      { intent_type: 'add_address', completed: true },
    ],
    [
      'id',
      'Tambahkan alamat neon ke dompet "Savings"',
      { intent_type: 'add_address', completed: true },
    ],
    ['en', 'What is my balance?', { intent_type: 'balance', completed: true }],
    ['id', 'Berapa saldo saya?', { intent_type: 'balance', completed: true }],
    ['en', 'Show my transaction history', { intent_type: 'history', completed: true }],
    ['id', 'Lihat riwayat transaksi', { intent_type: 'history', completed: true }],
    ['en', `Import token ${idr_token} on amoy`, { intent_type: 'import_token', completed: true }],
    ['id', 'Impor token', { intent_type: 'import_token', missing_parameter: 'token_address' }],
    [
      'en',
      `Send 0.5 USDC to ${OTHER} on amoy`,
      { intent_type: 'send', missing_parameter: 'confirmation' },
    ],
    [
      'id',
      `Kirim 0,5 USDC ke ${OTHER} di amoy`,
      { intent_type: 'send', missing_parameter: 'confirmation' },
    ],
    [
      'en',
      'Bridge 5 USDC from sepolia to amoy',
      { intent_type: 'crosschain_transfer', missing_parameter: 'confirmation' },
    ],
    [
      'id',
      'Pindahkan 5 USDC dari Polygon ke Ethereum',
      { intent_type: 'crosschain_transfer', missing_parameter: 'confirmation' },
    ],
    ['en', 'help', { intent_type: 'help', completed: true }],
    ['id', 'Bantuan, apa yang bisa kamu lakukan?', { intent_type: 'help', completed: true }],
    ['en', 'cancel', { intent_type: 'cancel', cancelled: true }],
    ['id', 'batalkan', { intent_type: 'cancel', cancelled: true }],
    ['en', 'Fine weather', { intent_type: 'unknown', missing_parameter: 'intent' }],
  ])('%s: %s', async (_, input, expected) => {
    const [status, told] = await say(settled, input);
    expect(told).toMatchObject({ user_input: input, ...expected });
    expect(status).toBe(told.requires_input ? 206 : 200);
    expect(told.conversation_state).toEqual({
      onboarding_required: false,
      input_required: told.requires_input,
      completed: told.completed,
      cancelled: told.cancelled,
      has_data: told.data !== null,
    });
  });

  test('the answer is in the language that was spoken', async () => {
    expect((await say(settled, 'Kirim 1 USDC'))[1].ai_response).toMatch(/alamat|jaringan/i);
    expect((await say(settled, 'Send 1 USDC'))[1].ai_response).toMatch(/address|chain/i);
  });
});

test('a new address comes with its words, once, and nothing of them is kept', async () => {
  const as = await h.user();
  await say(as, 'Create a wallet named Words on amoy');
  const [, told] = await say(as, 'Add an address on amoy');
  expect(told.data.mnemonic.split(' ')).toHaveLength(12);
  expect(told.data.security_note).toEqual(expect.any(String));
  expect(told.execution_result.data).toEqual(told.data);
  const { rows } = await h.kernel.pool.query(
    'select sealed_state as text from agent_conversations union all select parameters::text from agent_confirmations',
  );
  expect(JSON.stringify(rows)).not.toContain(told.data.mnemonic.slice(0, 20));
  expect(h.logs.join()).not.toContain(told.data.mnemonic.slice(0, 20));
});

describe('what is missing is asked for, one thing after another:', () => {
  test('for a send', async () => {
    await say(settled, 'cancel');
    const turns: [string, string][] = [
      ['I want to send money', 'amount'],
      ['0.25', 'token_symbol'],
      ['USDC', 'chain_id'],
      ['on amoy', 'to_address'],
      [`0x${'aB'.repeat(19)}`, 'to_address'],
      [OTHER, 'confirmation'],
    ];
    for (const [input, missing_parameter] of turns) {
      const [status, told] = await say(settled, input);
      expect([status, told]).toMatchObject([206, { missing_parameter, requires_input: true }]);
    }
    const [, told] = await say(settled, 'make it 0.75');
    expect(told.data.confirmation.will_do).toMatchObject({
      amount: '0.75',
      token_symbol: 'USDC',
      chain_id: 'amoy',
      to_address: OTHER,
      wallet_address: home?.wallet_address,
    });
    expect(told.message).toContain('0.75 USDC');
    expect(told.message).toContain(OTHER);
  });

  test('for a wallet, in Indonesian', async () => {
    const as = await h.user();
    expect((await say(as, 'Buat dompet baru'))[1]).toMatchObject({
      missing_parameter: 'wallet_name',
    });
    expect((await say(as, 'Dana Liburan'))[1]).toMatchObject({
      missing_parameter: 'chain_id',
      available_options: ['sepolia', 'amoy', 'neon'],
      suggested_actions: ['sepolia', 'amoy', 'neon'],
    });
    expect((await say(as, 'Polygon'))[1]).toMatchObject({
      completed: true,
      data: { wallet_name: 'Dana Liburan', chain_id: 'amoy', user_id: as.user_id },
    });
  });

  test('for a transfer between chains, whose amount has its limits', async () => {
    await say(settled, 'cancel');
    expect((await say(settled, 'bridge 0.5 USDC'))[1]).toMatchObject({
      missing_parameter: 'amount',
      message: expect.stringContaining('Minimum transfer amount'),
    });
    expect((await say(settled, '2'))[1]).toMatchObject({ missing_parameter: 'from_chain' });
    expect((await say(settled, 'amoy'))[1]).toMatchObject({
      missing_parameter: 'to_chain',
      available_options: ['sepolia', 'neon'],
    });
    expect((await say(settled, 'sepolia'))[1].data.confirmation.will_do).toMatchObject({
      amount: '2',
      from_chain: 'amoy',
      to_chain: 'sepolia',
      user_id: settled.user_id,
      recipient_address: expect.stringMatching(/^0x/),
    });
  });

  test('a wallet first, where the user has none', async () => {
    const as = await h.user();
    for (const input of ['What is my balance?', `Send 1 USDC to ${OTHER} on amoy`])
      expect(await say(as, input)).toMatchObject([
        206,
        { requires_onboarding: true, missing_parameter: 'wallet' },
      ]);
    await say(as, 'Create a wallet named Main on amoy');
    const [, told] = await say(as, `Send 1 USDC to ${OTHER} on amoy`);
    expect(told).toMatchObject({
      requires_onboarding: true,
      suggested_actions: ['Add an address on amoy'],
    });
  });
});

test('a conversation expires an hour after its last message', async () => {
  const as = await h.user();
  await say(as, 'Buat dompet baru');
  await h.advance(3601);
  expect((await say(as, 'Dana Liburan'))[1]).toMatchObject({ intent_type: 'unknown' });
  await h.drain();
});

test('balances and history are those of the endpoints', async () => {
  const as = await h.user();
  const [place] = await walletOn(h, as, 'amoy');
  await fund(h, 'amoy', place?.wallet_address ?? '', 'USDC', '7');
  await setAside(h, { chain_id: 'amoy', wallet_address: place?.wallet_address ?? '' }, '3');
  const [, balance] = await say(as, 'cek saldo');
  const [, same] = await h.call('GET /wallets/{wallet_id}/balance', {
    as,
    params: { wallet_id: place?.bw_id ?? 0 },
  });
  expect(balance.data.wallets[0].chains).toEqual(same.data.chains);
  const [token] = balance.data.wallets[0].chains.amoy.tokens;
  expect(token).toMatchObject({ balance: '7', held: '3', available: '4' });
  expect(balance.message).toContain('“available”');
  const [, history] = await say(as, 'riwayat');
  expect(history.data).toMatchObject({ transactions: [], stats: { total_transactions: 0 } });
});

test.each([
  [{}, 400, 'MISSING_FIELDS'],
  [{ user_input: 'help' }, 400, 'MISSING_FIELDS'],
  [{ user_input: '  ', user_id: 1 }, 400, 'MISSING_FIELDS'],
  [{ user_input: 'help', user_id: 'me' }, 400, 'VALIDATION_ERROR'],
  [{ user_input: 'x'.repeat(4001), user_id: 1 }, 400, 'VALIDATION_ERROR'],
  [{ user_input: 'help', user_id: 1, context: 'all' }, 400, 'VALIDATION_ERROR'],
  [{ user_input: 'help', user_id: 2_000_000_000 }, 403, 'ACCESS_DENIED'],
])('%j is refused', async (body, status, code) => {
  expect(await h.call('POST /agent/wallets/process', { as: settled, body })).toMatchObject([
    status,
    { success: false, error: { code } },
  ]);
});
