import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { freshAddress, mover, someHash, usedToday } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';

const h = await harness();
const person = mover(h, await h.user());
const count = async () =>
  Number(
    (
      await h.db
        .selectFrom('crosschain_transfers')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

it.each<[string, object, object]>([
  [
    'a chain that there is not',
    { from_chain: 'solana' },
    { error: 'Token USDC is not supported on solana.' },
  ],
  [
    'a destination that there is not',
    { to_chain: 'base' },
    { error: 'Token USDC is not supported on base.' },
  ],
  ['another token', { token: 'USDT' }, { error: 'Token USDT is not supported on sepolia.' }],
  ['a chain to itself', { to_chain: 'sepolia' }, { code: 'VALIDATION_ERROR' }],
  ['less than the minimum', { amount: '0.999999' }, { code: 'AMOUNT_BELOW_MINIMUM' }],
  ['more than the maximum', { amount: '10000.000001' }, { code: 'LIMIT_EXCEEDED' }],
  ['too many decimals', { amount: '1.0000001' }, { code: 'VALIDATION_ERROR' }],
  ['no amount', { amount: '-5' }, { code: 'VALIDATION_ERROR' }],
  ['an exponent', { amount: '1e3' }, { code: 'VALIDATION_ERROR' }],
  ['a short address', { recipient_address: '0x1234' }, { code: 'VALIDATION_ERROR' }],
  ['the zero address', { recipient_address: `0x${'0'.repeat(40)}` }, { code: 'VALIDATION_ERROR' }],
  [
    'the token contract as recipient',
    { recipient_address: h.app.evm.chains.amoy.contracts.usdc },
    { code: 'VALIDATION_ERROR' },
  ],
  ['a bad return address', { return_address: 'home' }, { code: 'VALIDATION_ERROR' }],
  ['no user', { user_id: undefined }, { error: 'Missing required fields: user_id' }],
  ['a user that there is not', { user_id: 2_000_000_000 }, { error: 'User not found' }],
])('nothing is begun with %s', async (_, over, told) => {
  const before = await count();
  const [status, body] = await person.initiate(over);
  expect([status, body]).toEqual([
    expect.toSatisfy((code: number) => code === 400 || code === 404),
    expect.objectContaining(told),
  ]);
  expect(await count()).toBe(before);
  expect(await usedToday(h, person.as)).toBe(0n);
});

it('in mock mode each kind of address case is taken, and shown with its checksum', async () => {
  const address = freshAddress();
  const digits = address.slice(2);
  const swapped = digits.replace(/[a-z]/gi, (c) =>
    /[a-z]/.test(c) ? c.toUpperCase() : c.toLowerCase(),
  );
  for (const written of [
    address,
    address.toLowerCase(),
    `0x${digits.toUpperCase()}`,
    `0x${swapped}`,
  ]) {
    const log = await person.begun({ amount: '1', recipient_address: written });
    expect(log.recipient_address).toBe(address);
  }
});

it.each([
  ['1.00', '0.100000'],
  ['100', '0.100000'],
  ['100.000001', '0.100001'],
  ['250.5', '0.250500'],
  ['10000', '10.000000'],
])('the fee of %s is %s', async (amount, platform_fee) => {
  const somebody = mover(h, await h.user());
  expect((await somebody.begun({ amount })).platform_fee).toBe(platform_fee);
});

it('a confirmation without its log, hash or status is refused and changes nothing', async () => {
  const log = await person.begun();
  const confirm = (body: object) => h.call('PATCH /crosschain/confirm', { as: person.as, body });
  const whole = { log_id: log.log_id, tx_hash: someHash(), status: 'BURNED' };
  for (const field of ['log_id', 'tx_hash', 'status'])
    expect(await confirm({ ...whole, [field]: undefined })).toMatchObject([
      400,
      { error: `Missing required fields: ${field}` },
    ]);
  for (const over of [
    { tx_hash: '0x12' },
    { tx_hash: `0x${'g'.repeat(64)}` },
    { status: 'MINTED' },
    { status: 'INITIATED' },
    { log_id: 'x' },
  ])
    expect((await confirm({ ...whole, ...over }))[0]).toBe(400);
  const unknown = await confirm({ ...whole, log_id: randomUUID() });
  expect(unknown).toMatchObject([404, { error: 'Bridge log not found' }]);
  expect((await person.details(log))[1].data.transaction.status).toBe('INITIATED');
});

it('POST /crosschain/confirm does what PATCH does', async () => {
  const confirm = (method: 'PATCH' | 'POST', body: object) =>
    h.call(`${method} /crosschain/confirm`, { as: person.as, body });
  for (const status of ['BURNED', 'FAILED']) {
    const answers = [];
    for (const method of ['PATCH', 'POST'] as const) {
      const log = await person.begun();
      const { log_id } = log;
      const [code, body] = await confirm(method, { log_id, tx_hash: someHash(), status });
      const { transaction } = (await person.details(log))[1].data;
      answers.push([code, Object.keys(body.data), body.message, transaction.status]);
    }
    expect(answers[0]).toMatchObject([200, {}, `Transfer is ${status}`, status]);
    expect(answers[1]).toEqual(answers[0]);
  }
  const log = await person.begun();
  expect(await confirm('POST', { log_id: log.log_id, tx_hash: someHash() })).toMatchObject([
    400,
    { error: 'Missing required fields: status' },
  ]);
});

it('a burn or mint of what there is not, or with another nonce, finds nothing', async () => {
  const [log, other] = [await person.begun(), await person.begun()];
  const missing = [404, { error: 'Bridge log not found' }];
  expect(await person.mint({ nonce: 'nothing' })).toMatchObject(missing);
  expect(await person.burn({ ...log, nonce: other.nonce })).toMatchObject(missing);
  expect(await person.burn({ ...log, log_id: randomUUID() })).toMatchObject(missing);
  expect(await person.burnWith({ ...log, nonce: 'x' }, someHash())).toMatchObject(missing);
});

it('what is no private key is refused without repeating it', async () => {
  const log = await person.begun();
  for (const key of ['f'.repeat(64), '0'.repeat(64), `0x${'z'.repeat(64)}`, 'short']) {
    const [status, body] = await person.burnWith(log, key);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).not.toContain(key);
  }
  expect((await person.details(log))[1].data.transaction.status).toBe('INITIATED');
});

it('a posted private key is neither stored nor logged', async () => {
  const log = await person.begun();
  const key = someHash();
  const more = { headers: { 'idempotency-key': 'burn-it' } };
  expect((await person.burnWith(log, key, more))[0]).toBe(200);
  const bare = key.slice(2);
  expect(h.logs.some((line) => line.includes(bare))).toBe(false);
  const { rows: tables } = await h.kernel.pool.query(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
     from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  for (const { name } of tables as { name: string }[]) {
    const { rows } = await h.kernel.pool.query(
      `select count(*)::int as n from ${name} t where t::text ilike $1`,
      [`%${bare}%`],
    );
    expect(rows, name).toEqual([{ n: 0 }]);
  }
});
