import { randomBytes } from 'node:crypto';
import { parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import { transferCall } from '#chains/evm/contracts/port.ts';
import { userSigners } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { type Harness, harness, type Person } from '#test/harness.ts';
import { loseAnswers } from '#test/lost-answers.ts';
import { fund, walletOn } from '#test/wallets.ts';

const mock = await harness();
const live = await harness({ mock: false });
const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const newHash = () => `0x${randomBytes(32).toString('hex')}`;
const claim = (bw_id: number, some: object = {}) => ({
  bw_id,
  tx_hash: newHash(),
  amount: '0.5',
  to_address: TO,
  token_symbol: 'POL',
  chain_id: 'amoy',
  token_contract: 'native',
  gas_fee: 0.00021,
  platform_fee: 0,
  ...some,
});
const report = (h: Harness, as: Person, body: object) => h.call('POST /onchain/log', { as, body });
const logged = (h: Harness, user_id: number) =>
  h.db.selectFrom('onchain_transactions').selectAll().where('user_id', '=', user_id).execute();

describe('in mock mode a report is taken at its word', () => {
  test('once per hash, however often and in whichever case it comes', async () => {
    const as = await mock.user();
    const [wallet] = await walletOn(mock, as, 'amoy');
    const body = claim(wallet?.bw_id ?? 0);
    const answers = await Promise.all(Array.from({ length: 5 }, () => report(mock, as, body)));
    expect(answers.map(([status]) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    const [, { data }] = answers.find(([status]) => status === 201) ?? [0, {}];
    expect(data.transaction_log).toEqual({
      id: expect.any(Number),
      tx_hash: body.tx_hash,
      amount: '0.5',
      token_symbol: 'POL',
      chain_id: 'amoy',
      status: 'CONFIRMED',
      created_at: expect.stringMatching(/Z$/),
      explorer_url: `https://amoy.polygonscan.com/tx/${body.tx_hash}`,
    });
    const shouted = { ...body, tx_hash: `0x${body.tx_hash.slice(2).toUpperCase()}` };
    expect((await report(mock, as, shouted))[0]).toBe(409);
    expect(await logged(mock, as.user_id)).toMatchObject([
      { tx_type: 'ONCHAIN_SEND', tx_flow: 'OUT', gas_fee: '0.00021', platform_fee: '0' },
    ]);
  });

  test('with a fee as small as gas is, however its number is written', async () => {
    const as = await mock.user();
    const [wallet] = await walletOn(mock, as, 'amoy');
    const body = { ...claim(wallet?.bw_id ?? 0), gas_fee: 2.1e-8, platform_fee: 1e-18 };
    expect((await report(mock, as, body))[0]).toBe(201);
    expect(await logged(mock, as.user_id)).toMatchObject([
      { gas_fee: '0.000000021', platform_fee: '0.000000000000000001' },
    ]);
  });

  test('and told again as it was, where the process died before it could keep its answer', async () => {
    const as = await mock.user();
    const [wallet] = await walletOn(mock, as, 'amoy');
    const body = claim(wallet?.bw_id ?? 0);
    const headers = { 'idempotency-key': 'reported' };
    const ask = () => mock.call('POST /onchain/log', { as, body, headers });
    const [status, { data }] = await ask();
    expect(status).toBe(201);
    await loseAnswers(mock);
    expect(await ask()).toMatchObject([201, { data }]);
    expect(await report(mock, as, body)).toMatchObject([409, { error: { code: 'CONFLICT' } }]);
    expect(await logged(mock, as.user_id)).toHaveLength(1);
  });

  test.each([
    ['tx_hash', { tx_hash: '0x1234' }],
    ['tx_hash', { tx_hash: `0x${'g'.repeat(64)}` }],
    ['amount', { amount: 0 }],
    ['amount', { amount: '-3' }],
    ['to_address', { to_address: TO.replace('E7', 'g7') }],
    ['token_contract', { token_contract: 'gold' }],
    ['token_contract', { token_symbol: 'ETH' }],
    ['chain_id', { chain_id: 'base' }],
    ['gas_fee', { gas_fee: -1 }],
    ['platform_fee', { platform_fee: undefined }],
    ['bw_id', { bw_id: 'mine' }],
  ])('but not with a wrong %s: %j', async (field, some) => {
    const as = await mock.user();
    const [wallet] = await walletOn(mock, as, 'amoy');
    const [status, { error }] = await report(mock, as, claim(wallet?.bw_id ?? 0, some));
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(error.details).toEqual([{ field, message: expect.any(String) }]);
    expect(await logged(mock, as.user_id)).toEqual([]);
  });

  test('and not about the wallet of somebody else', async () => {
    const owner = await mock.user();
    const [wallet] = await walletOn(mock, owner, 'amoy');
    const admin = await mock.user({ role: 'admin', client_id: owner.client_id });
    for (const [as, bw_id] of [
      [admin, wallet?.bw_id ?? 0],
      [owner, 999_999],
    ] as const)
      expect(await report(mock, as, claim(bw_id))).toMatchObject([
        403,
        { success: false, error: { code: 'WALLET_ACCESS_DENIED' } },
      ]);
  });
});

describe('out of mock mode a report must be on chain as it says', () => {
  const prepared = async () => {
    const as = await live.user();
    const [wallet] = await walletOn(live, as, 'amoy');
    const { bw_id, wallet_address } = wallet ?? { bw_id: 0, wallet_address: '' };
    await fund(live, 'amoy', wallet_address, 'native', '2');
    await fund(live, 'amoy', wallet_address, 'USDC', '9');
    const [signer] = await userSigners(live.db, live.kernel.vault)(as.user_id, 'amoy');
    if (!signer) throw new Error('no address');
    return { as, bw_id, signer };
  };
  const { sender, contracts } = live.app.evm.chains.amoy;

  test('coins, with the gas that it really cost', async () => {
    const { as, bw_id, signer } = await prepared();
    const value = parseEther('0.5');
    const sent = await sender.execute({
      signer,
      to: TO,
      value,
      reference: newHash(),
      purpose: 'x',
    });
    for (const some of [{ amount: '0.4' }, { to_address: signer.address }, { chain_id: 'neon' }])
      expect((await report(live, as, claim(bw_id, { tx_hash: sent.hash, ...some })))[0]).toBe(400);
    const [status] = await report(live, as, claim(bw_id, { tx_hash: sent.hash, gas_fee: 1 }));
    expect(status).toBe(201);
    const [row] = await logged(live, as.user_id);
    expect(Number(row?.gas_fee) * 1e18).toBeCloseTo(Number(sent.gas_fee), -6);
  });

  test('tokens, by the log of their contract', async () => {
    const { as, bw_id, signer } = await prepared();
    const call = transferCall(contracts.usdc, TO, 2_500_000n);
    const sent = await sender.execute({ signer, ...call, reference: newHash(), purpose: 'x' });
    const usdc = { tx_hash: sent.hash, token_symbol: 'USDC', token_contract: contracts.usdc };
    for (const amount of ['2.4', '2.50000001'])
      expect((await report(live, as, claim(bw_id, { ...usdc, amount })))[0]).toBe(400);
    expect((await report(live, as, claim(bw_id, { ...usdc, amount: '2.50' })))[0]).toBe(201);
    const stranger = await prepared();
    const theirs = claim(stranger.bw_id, { ...usdc, amount: '2.5' });
    expect(await report(live, stranger.as, theirs)).toMatchObject([
      400,
      { error: { code: 'VALIDATION_ERROR', details: [{ field: 'tx_hash' }] } },
    ]);
  });

  test('by the wallet’s user alone, though another one knows of it', async () => {
    const { as, bw_id, signer } = await prepared();
    const call = transferCall(contracts.usdc, TO, 1_000_000n);
    const sent = await sender.execute({ signer, ...call, reference: newHash(), purpose: 'x' });
    const usdc = { token_symbol: 'USDC', token_contract: contracts.usdc, amount: '1' };
    const body = claim(bw_id, { ...usdc, tx_hash: sent.hash });
    const stranger = await live.user({ client_id: as.client_id });
    expect(await report(live, stranger, body)).toMatchObject([
      403,
      { success: false, error: { code: 'WALLET_ACCESS_DENIED' } },
    ]);
    expect(await logged(live, stranger.user_id)).toEqual([]);
    expect((await report(live, as, body))[0]).toBe(201);
  });

  test('and what the chain does not know is refused', async () => {
    const { as, bw_id } = await prepared();
    const [status, { error }] = await report(live, as, claim(bw_id));
    expect([status, error.details[0].message]).toEqual([400, 'is not known to the chain']);
    expect(await logged(live, as.user_id)).toEqual([]);
  });
});
