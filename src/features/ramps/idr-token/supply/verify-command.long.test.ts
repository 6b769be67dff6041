import { expect, test } from 'vitest';
import { command } from '#test/command.ts';
import { freshAddress } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';
import { tokenUser, untilMinted } from '#test/idr-token.ts';

/** What an operator has: `npm run idr:verify` beside the running service, on its database and chains. */
const h = await harness();
await h.drain();
const { chains } = h.app.evm;
const BESIDE = {
  DATABASE_URL: h.kernel.pool.options.connectionString ?? '',
  DATA_DIR: h.dataDir,
  SANDBOX_PORT: new URL(h.app.sandboxUrl()).port,
  EVM_MNEMONIC: 'test test test test test test test test test test test junk',
};

async function verify(more: object = {}) {
  const env = { ...process.env, ...BESIDE, LOG_LEVEL: 'silent', ...more };
  const { out, err, code } = await command(['scripts/idr-verify.ts'], env);
  const lines = out.trim().split('\n').filter(Boolean);
  return { compared: lines.map((line) => JSON.parse(line)), err, code };
}

test('the command ends with 0 where every token has its rupiah', async () => {
  const user = tokenUser(h, await h.user());
  const { referenceId } = await user.begun({ walletAddress: freshAddress() });
  await untilMinted(h, referenceId);
  const { compared, err, code } = await verify();
  expect([code, err]).toEqual([0, '']);
  expect(compared).toHaveLength(Object.keys(chains).length + 1);
  expect(compared.every(({ differs }) => differs === false)).toBe(true);
});

test('the command ends with 1 and names a chain with unpaid tokens', async () => {
  await h.db.updateTable('idr_supply').set({ minted: 0n }).where('chain_id', '=', 'amoy').execute();
  const { compared, code } = await verify();
  expect(code).toBe(1);
  const differing = compared.filter(({ differs }) => differs).map(({ subject }) => subject);
  expect(differing).toContain('amoy');
});

test('the command ends with 1 where a chain cannot be read', async () => {
  expect((await verify({ EVM_NEON_RPC_URL: 'http://127.0.0.1:9' })).code).toBe(1);
});
