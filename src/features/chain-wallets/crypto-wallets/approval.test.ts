import { expect, test } from 'vitest';
import { transact } from '#kernel/transact.ts';
import { harness, type Person } from '#test/harness.ts';
import { managedAddresses, openWalletOnApproval, userSigners } from './managed-addresses.ts';

const h = await harness();
const wallets = async (as: Person) => {
  const params = { user_id: as.user_id };
  const [, { data }] = await h.call('GET /manual/wallets/crypto/{user_id}', { as, params });
  return data.wallets;
};

test('an individual who is approved gets a wallet, once however often that is told', async () => {
  const as = await h.user();
  const approve = () =>
    h.call('POST /ekyc/idv/syncIdvStatus', {
      body: {
        applicantId: 'a',
        user_id: as.user_id,
        reviewStatus: 'completed',
        reviewAnswer: 'GREEN',
        verification_type: 'KYC',
      },
    });
  await Promise.all([approve(), approve(), approve()]);
  expect(await wallets(as)).toMatchObject([
    { wallet_name: 'Main wallet', is_primary: true, status: 'setup_needed' },
  ]);
});

test('whoever has a wallet already gets no other', async () => {
  const as = await h.user();
  const body = { user_id: as.user_id, wallet_name: 'Mine', chain_id: 'amoy' };
  await h.call('POST /manual/wallets/crypto', { as, body });
  await Promise.all(
    Array.from({ length: 4 }, () => transact(h.db, (tx) => openWalletOnApproval(tx, as.user_id))),
  );
  expect(await wallets(as)).toMatchObject([{ wallet_name: 'Mine' }]);
});

test('signers are found by user and chain, the primary wallet’s first, and sign as their address', async () => {
  const as = await h.user();
  const addresses: string[] = [];
  for (const wallet_name of ['First', 'Second']) {
    const body = { user_id: as.user_id, wallet_name, chain_id: 'amoy' };
    const [, { data }] = await h.call('POST /manual/wallets/crypto', { as, body });
    const path = 'POST /manual/wallets/crypto/{bw_id}/address';
    const params = { bw_id: data.bw_id };
    const [, made] = await h.call(path, { as, params, body: { chain_id: 'amoy' } });
    addresses.push(made.data.wallet_address);
  }
  const signers = await userSigners(h.db, h.kernel.vault)(as.user_id, 'amoy');
  expect(signers.map(({ address }) => address)).toEqual(addresses);
  const unsigned = {
    ...({ type: 'legacy', chainId: 80_002, nonce: 0, value: 0n } as const),
    gasPrice: 1n,
    gas: 21_000n,
    to: signers[1]?.address,
  };
  expect(await signers[0]?.sign(unsigned)).toMatch(/^0x/);
  expect(await userSigners(h.db, h.kernel.vault)(as.user_id, 'neon')).toEqual([]);
  expect(await managedAddresses(h.db, {}, { wallet_address: 'nonsense' })).toEqual([]);
});
