import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { cardanoSigner } from '#test/cardano-signer.ts';
import { harness } from '#test/harness.ts';
import { node } from '#test/strangers.ts';
import { challengeFor, newKey, proveKey, sendProof } from '#test/wallet-proofs.ts';
import { walletOn } from '#test/wallets.ts';
import { xrplSigner } from '#test/xrpl-signer.ts';
import { isWalletOf } from './wallet-proofs.ts';

const h = await harness({ mock: false });
const refused = (status: number, code: string) => [status, { success: false, error: { code } }];
const listed = async (as: { token: string }) =>
  (await h.call('GET /wallet-proofs', { as }))[1].data;

test('a signed challenge makes the wallet its user’s on all EVM chains', async () => {
  const as = await h.user();
  const { key, address } = newKey();
  expect(await proveKey(h, as, key)).toMatchObject([
    200,
    { success: true, data: { user_id: as.user_id, wallet_address: address, reach: 'evm' } },
  ]);
  expect(await isWalletOf(h.db, as.user_id, { wallet_address: address, chain_id: 'amoy' })).toBe(
    true,
  );
  expect(await listed(as)).toMatchObject([{ wallet_address: address, chain_id: 'sepolia' }]);
});

test('a challenge is used once, whatever becomes of it, and by its own user', async () => {
  const [as, other] = [await h.user(), await h.user()];
  const { key, address } = newKey();
  const [, { data }] = await challengeFor(h, as, 'sepolia', address);
  const signature = await privateKeyToAccount(key).signMessage({ message: data.message });
  const { challenge_id } = data;
  expect(await sendProof(h, other, { challenge_id, signature })).toMatchObject(
    refused(404, 'NOT_FOUND'),
  );
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => sendProof(h, as, { challenge_id, signature })),
  );
  expect(answers.map(([status]) => status).sort()).toEqual([200, 404, 404, 404, 404]);
});

test('the signature of another key or of another text proves nothing and uses the challenge up', async () => {
  const as = await h.user();
  const [mine, theirs] = [newKey(), newKey()];
  const [, { data }] = await challengeFor(h, as, 'sepolia', theirs.address);
  const { challenge_id, message } = data;
  const signature = await privateKeyToAccount(mine.key).signMessage({ message });
  expect(await sendProof(h, as, { challenge_id, signature })).toMatchObject(
    refused(400, 'INVALID_SIGNATURE'),
  );
  const right = await privateKeyToAccount(theirs.key).signMessage({ message });
  expect((await sendProof(h, as, { challenge_id, signature: right }))[0]).toBe(404);
  expect(await listed(as)).toEqual([]);
});

test('a challenge lapses after ten minutes', async () => {
  const as = await h.user();
  const { key, address } = newKey();
  const [, { data }] = await challengeFor(h, as, 'sepolia', address);
  const signature = await privateKeyToAccount(key).signMessage({ message: data.message });
  await h.advance(601);
  const { challenge_id } = data;
  expect((await sendProof(h, as, { challenge_id, signature }))[0]).toBe(404);
});

test('who signs last holds the wallet; the former owner gets a mail', async () => {
  const [first, second] = [await h.user(), await h.user()];
  const { key, address: wallet_address } = newKey();
  await proveKey(h, first, key);
  expect((await proveKey(h, second, key))[0]).toBe(200);
  expect(await isWalletOf(h.db, first.user_id, { wallet_address })).toBe(false);
  expect(await isWalletOf(h.db, second.user_id, { wallet_address })).toBe(true);
  await h.advance(61);
  await h.drain();
  const subjects = (await h.messages(first.email)).map(({ subject }) => subject);
  expect(subjects).toContain('A wallet no longer counts as yours at Archipay');
});

test('of users who prove one wallet at once one holds it', async () => {
  const users = await Promise.all(Array.from({ length: 4 }, () => h.user()));
  const { key, address } = newKey();
  await Promise.all(users.map((as) => proveKey(h, as, key)));
  const owners = await Promise.all(users.map(listed));
  expect(owners.flat()).toMatchObject([{ wallet_address: address }]);
});

test('a proven wallet can be removed by its user alone', async () => {
  const [as, other] = [await h.user(), await h.user()];
  const { key } = newKey();
  const [, { data }] = await proveKey(h, as, key);
  const params = { proof_id: data.proof_id };
  expect(await h.call('DELETE /wallet-proofs/{proof_id}', { as: other, params })).toMatchObject(
    refused(404, 'NOT_FOUND'),
  );
  expect((await h.call('DELETE /wallet-proofs/{proof_id}', { as, params }))[0]).toBe(200);
  expect(await listed(as)).toEqual([]);
});

test('a user gets thirty challenges in an hour', async () => {
  const as = await h.user();
  const { address } = newKey();
  for (let n = 0; n < 30; n += 1)
    expect((await challengeFor(h, as, 'sepolia', address))[0]).toBe(200);
  expect(await challengeFor(h, as, 'sepolia', address)).toMatchObject(refused(429, 'RATE_LIMITED'));
});

test('a wallet that the service manages needs no proof, and an address must be one of its chain', async () => {
  const as = await h.user();
  const [wallet] = await walletOn(h, as, 'sepolia');
  const wallet_address = wallet?.wallet_address ?? '';
  expect(await isWalletOf(h.db, as.user_id, { wallet_address })).toBe(true);
  for (const chain_id of ['cardano', 'xrpl'])
    expect(await challengeFor(h, as, chain_id, wallet_address)).toMatchObject(
      refused(400, 'INVALID_WALLET_FORMAT'),
    );
});

test('a contract proves its own address on its own chain, and only where it says so', async () => {
  const as = await h.user();
  const [says, refuses] = [newKey().address, newKey().address];
  // Returns the word of EIP-1271, or reverts, whatever it is called with.
  await node(h.app.evm.chains.sepolia, 'anvil_setCode', says, '0x631626ba7e60e01b60005260206000f3');
  await node(h.app.evm.chains.sepolia, 'anvil_setCode', refuses, '0x60006000fd');
  const proof = async (wallet_address: string) => {
    const [, { data }] = await challengeFor(h, as, 'sepolia', wallet_address);
    return sendProof(h, as, { challenge_id: data.challenge_id, signature: `0x${'11'.repeat(65)}` });
  };
  expect(await proof(refuses)).toMatchObject(refused(400, 'INVALID_SIGNATURE'));
  expect(await proof(says)).toMatchObject([200, { data: { reach: 'sepolia' } }]);
  const owns = (chain_id: string) =>
    isWalletOf(h.db, as.user_id, { wallet_address: says, chain_id });
  expect([await owns('sepolia'), await owns('amoy')]).toEqual([true, false]);
});

test('an account of the XRP Ledger is proven by its own key', async () => {
  const as = await h.user();
  const [account, other] = [xrplSigner(), xrplSigner()];
  const proof = async ({ signText }: typeof account) => {
    const [, { data }] = await challengeFor(h, as, 'xrpl', account.address);
    return sendProof(h, as, { challenge_id: data.challenge_id, ...signText(data.message) });
  };
  expect(await proof(other)).toMatchObject(refused(400, 'INVALID_SIGNATURE'));
  expect(await proof(account)).toMatchObject([200, { data: { reach: 'xrpl' } }]);
});

test('an address of Cardano is proven by its payment key, and not by its stake key', async () => {
  const as = await h.user();
  const signer = await cardanoSigner();
  const proof = async (by: 'payment' | 'stake') => {
    const [, { data }] = await challengeFor(h, as, 'cardano', signer.address);
    const made = signer.signData(by, data.message);
    return sendProof(h, as, { challenge_id: data.challenge_id, ...made });
  };
  expect(await proof('stake')).toMatchObject(refused(400, 'INVALID_SIGNATURE'));
  expect(await proof('payment')).toMatchObject([200, { data: { reach: 'cardano' } }]);
});
