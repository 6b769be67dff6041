import { expect, it } from 'vitest';
import { freshAddress, mover, outsideWallet, someHash, usdcOf } from '#test/crosschain.ts';
import { type Body, harness } from '#test/harness.ts';
import { fund } from '#test/wallets.ts';

const h = await harness();
const MANY = 20;
const at = <T>(act: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: MANY }, (_, i) => act(i)));
const wins = (answers: [number, Body][]) => answers.filter(([status]) => status === 200);
const journal = (like: string) =>
  h.db.selectFrom('chain_transactions').selectAll().where('reference', 'like', like).execute();

it('twenty burns of one transfer are one burn, and twenty mints one mint', async () => {
  const person = mover(h, await h.user());
  const recipient_address = freshAddress();
  const log = await person.begun({ recipient_address });
  const burns = await at(() => person.burn(log));
  expect(wins(burns)).toHaveLength(1);
  for (const [status, body] of burns.filter(([code]) => code !== 200))
    expect([status, body.error]).toEqual([400, 'Invalid status. Burn already executed or failed.']);
  expect(await journal(`burn:${log.nonce}`)).toHaveLength(1);

  const mints = await at(() => person.mint(log));
  expect(wins(mints)).toHaveLength(1);
  for (const [status, body] of mints.filter(([code]) => code !== 200))
    expect([status, body.error]).toEqual([400, 'Already minted']);
  expect(await journal(`mint:${log.nonce}`)).toHaveLength(1);
  expect(await usdcOf(h, 'amoy', recipient_address)).toBe(10_000_000n);
});

it('burns of every kind, confirmations and failures at once: one of them counts', async () => {
  const person = mover(h, await h.user());
  const wallet = outsideWallet(h);
  await fund(h, 'sepolia', wallet.address, 'native', '10');
  await fund(h, 'sepolia', wallet.address, 'USDC', '100');
  for (let round = 0; round < 5; round += 1) {
    const log = await person.begun();
    const hash = someHash();
    const ways = [
      () => person.burn(log),
      () => person.burnWith(log, wallet.key),
      () => person.burn(log, { mode: 'external_wallet', tx_hash: hash }),
      () => person.confirm(log, 'BURNED', hash),
      () => person.confirm(log, 'FAILED', hash),
    ];
    const answers = await at((i) => ways[(i + round) % ways.length]?.() ?? person.burn(log));
    expect(wins(answers)).toHaveLength(1);
    for (const [status] of answers) expect([200, 400, 503]).toContain(status);
    const [, { data }] = await person.details(log);
    const sent = await journal(`burn:${log.nonce}`);
    expect(sent.length).toBeLessThanOrEqual(1);
    // What was burnt by us is BURNED with that very hash, and nothing else is.
    if (sent[0]) expect(data.transaction.burn_tx_hash).toBe(sent[0].hash);
    else expect([hash, null]).toContain(data.transaction.burn_tx_hash);
  }
});

it('one burn on chain told for many transfers backs one of them', async () => {
  const person = mover(h, await h.user());
  const logs = await at(() => person.begun({ amount: '1' }));
  const hash = someHash();
  const answers = await at((i) => person.confirm(logs[i], 'BURNED', hash));
  expect(wins(answers)).toHaveLength(1);
  expect(answers.filter(([status]) => status === 409)).toHaveLength(MANY - 1);
});
