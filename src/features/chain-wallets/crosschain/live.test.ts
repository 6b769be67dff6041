import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { bridgeBurnCall } from '#chains/evm/contracts/port.ts';
import { CHAINS, keySigner } from '#chains/evm/port.ts';
import { freshAddress, mover, outsideWallet, someHash, usdcOf } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';
import { fund, walletOn } from '#test/wallets.ts';

const h = await harness({ mock: false, config: { EVM_CONFIRMATIONS: '3' } });
const { chains, keys } = h.app.evm;

/** Any transaction makes a block. */
async function mine(chain: 'sepolia' | 'amoy', blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i += 1) await fund(h, chain, freshAddress(), 'native', '0.01');
}

/** Somebody with a managed wallet on Sepolia. */
async function walletOwner(usdc: string, gas = '1') {
  const as = await h.user();
  const [wallet] = await walletOn(h, as, 'sepolia');
  const address = wallet?.wallet_address ?? '';
  if (gas !== '0') await fund(h, 'sepolia', address, 'native', gas);
  if (usdc !== '0') await fund(h, 'sepolia', address, 'USDC', usdc);
  return { ...mover(h, as), address };
}

describe('out of mock mode, a burn by the service', () => {
  it('is paid by the user’s managed wallet, the fee on top of it', async () => {
    const person = await walletOwner('50');
    const recipient_address = freshAddress();
    const log = await person.begun({ amount: '20', recipient_address });
    const treasury = await usdcOf(h, 'sepolia', keys.treasury.address);
    expect((await person.burn(log))[0]).toBe(200);
    expect(await usdcOf(h, 'sepolia', person.address)).toBe(30_000_000n);

    expect(await person.mint(log)).toMatchObject([200, { status: 'MINTED' }]);
    expect(await usdcOf(h, 'amoy', recipient_address)).toBe(20_000_000n);

    await h.drain();
    await h.drain();
    expect(await usdcOf(h, 'sepolia', person.address)).toBe(29_900_000n);
    expect(await usdcOf(h, 'sepolia', keys.treasury.address)).toBe(treasury + 100_000n);
  });

  it('is refused where amount and fee are not there, and the transfer stays free', async () => {
    const person = await walletOwner('20.05');
    const log = await person.begun({ amount: '20' });
    expect(await person.burn(log)).toMatchObject([
      400,
      {
        code: 'INSUFFICIENT_FUNDS',
        details: { token: 'USDC', required: '20.100000', available: '20.050000' },
      },
    ]);
    expect(await usdcOf(h, 'sepolia', person.address)).toBe(20_050_000n);
    await fund(h, 'sepolia', person.address, 'USDC', '1');
    expect((await person.burn(log))[0]).toBe(200);
  });

  it('is refused without coins for the network fee, or without a wallet', async () => {
    const person = await walletOwner('50', '0');
    const log = await person.begun();
    expect(await person.burn(log)).toMatchObject([
      400,
      { code: 'INSUFFICIENT_FUNDS', details: { token: 'ETH', available: '0.000000000000000000' } },
    ]);
    expect((await person.confirm(log, 'FAILED', someHash()))[0]).toBe(200);
    const nobody = mover(h, await h.user());
    expect(await nobody.burn(await nobody.begun())).toMatchObject([
      400,
      { code: 'INSUFFICIENT_FUNDS' },
    ]);
  });

  it('beside others that use up the wallet is told what is missing, and can be tried again', async () => {
    const person = await walletOwner('20.2');
    const logs = [await person.begun(), await person.begun(), await person.begun()];
    const answers = await Promise.all(logs.map((log) => person.burn(log)));
    expect(answers.filter(([status]) => status === 200)).toHaveLength(2);
    expect(answers).toContainEqual([
      400,
      expect.objectContaining({
        code: 'INSUFFICIENT_FUNDS',
        details: expect.objectContaining({ required: '10.100000' }),
      }),
    ]);
    await fund(h, 'sepolia', person.address, 'USDC', '10.1');
    const late = logs[answers.findIndex(([status]) => status !== 200)];
    expect((await person.burn(late))[0]).toBe(200);
  });

  it('with a posted key is paid by its wallet, and pays the fee at once', async () => {
    const person = mover(h, await h.user());
    const wallet = outsideWallet(h);
    await fund(h, 'sepolia', wallet.address, 'native', '1');
    await fund(h, 'sepolia', wallet.address, 'USDC', '10.05');
    const log = await person.begun({ amount: '10' });
    expect(await person.burnWith(log, wallet.key)).toMatchObject([
      400,
      { code: 'INSUFFICIENT_FUNDS' },
    ]);
    await fund(h, 'sepolia', wallet.address, 'USDC', '0.05');
    expect((await person.burnWith(log, wallet.key))[0]).toBe(200);
    expect(await usdcOf(h, 'sepolia', wallet.address)).toBe(0n);
  });
});

it('out of mock mode an admin does not burn from a user’s managed wallet', async () => {
  const person = await walletOwner('50');
  const admin = mover(h, await h.user({ role: 'admin', client_id: person.as.client_id }));
  const log = await person.begun();
  expect(await admin.burn(log)).toMatchObject([403, { code: 'WALLET_ACCESS_DENIED' }]);
  expect((await person.burn(log))[0]).toBe(200);
});

describe('out of mock mode, a burn by the user’s own wallet', () => {
  it('counts when it is on chain, this transfer’s, and deep enough', async () => {
    const person = mover(h, await h.user());
    const wallet = outsideWallet(h);
    await fund(h, 'sepolia', wallet.address, 'native', '1');
    await fund(h, 'sepolia', wallet.address, 'USDC', '100');
    const recipient_address = freshAddress();
    const [log, other] = [
      await person.begun({ recipient_address }),
      await person.begun({ recipient_address }),
    ];
    const told = (tx_hash: string, of = log) =>
      person.burn(of, { mode: 'external_wallet', tx_hash });

    expect(await told(someHash())).toMatchObject([
      400,
      { error: 'The transaction is not known on sepolia' },
    ]);
    const tx_hash = await wallet.send('sepolia', log.burn_calls);
    expect(await told(tx_hash)).toMatchObject([
      503,
      { code: 'NOT_READY', error: 'The burn has too few confirmations yet' },
    ]);
    expect(await person.confirm(log, 'FAILED', tx_hash)).toMatchObject([
      400,
      { error: 'The transfer is burnt already; confirm it as BURNED' },
    ]);
    await mine('sepolia', 2);
    expect(await told(tx_hash, other)).toMatchObject([
      400,
      { error: 'The transaction is not the burn of this transfer' },
    ]);
    expect(await person.mint(log)).toMatchObject([400, { code: 'INVALID_STATUS' }]);
    expect((await told(tx_hash))[0]).toBe(200);
    expect((await person.mint(log))[0]).toBe(200);
    expect(await usdcOf(h, 'amoy', recipient_address)).toBe(10_000_000n);
  });

  it('is not another user’s, however alike their transfers are, and even where it failed', async () => {
    const [person, stranger] = [mover(h, await h.user()), mover(h, await h.user())];
    const wallet = outsideWallet(h);
    await fund(h, 'sepolia', wallet.address, 'native', '1');
    await fund(h, 'sepolia', wallet.address, 'USDC', '10');
    const recipient_address = freshAddress();
    const log = await person.begun({ recipient_address });
    const [alike, failed] = [
      await stranger.begun({ recipient_address }),
      await stranger.begun({ recipient_address }),
    ];
    expect((await stranger.confirm(failed, 'FAILED', someHash()))[0]).toBe(200);
    const tx_hash = await wallet.send('sepolia', log.burn_calls);
    await mine('sepolia', 2);
    const refusal = { error: 'The transaction is not the burn of this transfer' };
    expect(await stranger.confirm(alike, 'BURNED', tx_hash)).toMatchObject([400, refusal]);
    const told = { mode: 'external_wallet', tx_hash };
    expect(await stranger.burn(alike, told)).toMatchObject([400, refusal]);
    expect((await stranger.confirm(failed, 'BURNED', tx_hash))[0]).toBe(400);
    expect((await stranger.burn(log, told))[0]).toBe(404);
    expect((await person.burn(log, told))[0]).toBe(200);
  });

  it('of another amount, recipient, chain or nonce, or at another contract, is none', async () => {
    const person = mover(h, await h.user());
    const wallet = outsideWallet(h);
    await fund(h, 'sepolia', wallet.address, 'native', '1');
    await fund(h, 'sepolia', wallet.address, 'USDC', '100');
    const recipient = freshAddress();
    const log = await person.begun({ recipient_address: recipient });
    const right = { nonce: log.nonce, units: 10_000_000n, recipient };
    const amoy = CHAINS.amoy.chainId;
    const { contracts } = chains.sepolia;
    // The nonce is used once per sender, so each of them comes from a wallet of its own.
    const wrong = [
      bridgeBurnCall(contracts, { ...right, units: 9_999_999n }, amoy),
      bridgeBurnCall(contracts, { ...right, recipient: freshAddress() }, amoy),
      bridgeBurnCall(contracts, right, CHAINS.neon.chainId),
      bridgeBurnCall(contracts, { ...right, nonce: 'another' }, amoy),
    ];
    for (const call of wrong) {
      const sender = outsideWallet(h);
      await fund(h, 'sepolia', sender.address, 'native', '1');
      await fund(h, 'sepolia', sender.address, 'USDC', '10');
      const tx_hash = await sender.send('sepolia', [call]);
      await mine('sepolia', 2);
      expect(await person.confirm(log, 'BURNED', tx_hash)).toMatchObject([
        400,
        { error: 'The transaction is not the burn of this transfer' },
      ]);
    }
    // The right call on another chain is not seen on the source chain.
    await fund(h, 'amoy', wallet.address, 'native', '1');
    await fund(h, 'amoy', wallet.address, 'USDC', '10');
    const elsewhere = bridgeBurnCall(chains.amoy.contracts, right, CHAINS.neon.chainId);
    const tx_hash = await wallet.send('amoy', [elsewhere]);
    expect((await person.confirm(log, 'BURNED', tx_hash))[0]).toBe(400);
    expect((await person.details(log))[1].data.transaction.status).toBe('INITIATED');
  });
});

describe('out of mock mode, a mint', () => {
  const unproven = (log_id: string, values: object) =>
    h.db.updateTable('crosschain_transfers').set(values).where('log_id', '=', log_id).execute();

  it('waits for the confirmations of a burn that was sent a moment ago', async () => {
    const person = await walletOwner('50');
    const log = await person.begun();
    expect((await person.burn(log))[0]).toBe(200);
    await unproven(log.log_id, { burn_proof: null });
    expect(await person.mint(log)).toMatchObject([503, { code: 'NOT_READY' }]);
    await mine('sepolia', 2);
    expect((await person.mint(log))[0]).toBe(200);
  });

  it('is not made on the word of somebody, such as mock mode has taken', async () => {
    const person = await walletOwner('50');
    const recipient_address = freshAddress();
    const [log, other] = [await person.begun({ recipient_address }), await person.begun()];
    const word = { status: 'BURNED', burn_proof: 'WORD' };
    await unproven(log.log_id, { ...word, burn_tx_hash: someHash() });
    expect(await person.mint(log)).toMatchObject([503, { code: 'NOT_READY' }]);
    const [, { data }] = await person.burn(other);
    await unproven(other.log_id, { burn_tx_hash: someHash() });
    await unproven(log.log_id, { burn_tx_hash: data.tx_hash });
    await mine('sepolia', 2);
    expect(await person.mint(log)).toMatchObject([400, { code: 'VALIDATION_ERROR' }]);
    expect(await usdcOf(h, 'amoy', recipient_address)).toBe(0n);
  });
});

describe('a chain that does not do its part', () => {
  it('leaves a transfer whose mint is refused as it was, to be minted later', async () => {
    const person = await walletOwner('50');
    const recipient_address = freshAddress();
    const log = await person.begun({ recipient_address });
    expect((await person.burn(log))[0]).toBe(200);
    const switched = (name: 'pause' | 'unpause') =>
      chains.amoy.sender.execute({
        signer: keys.deployer,
        to: chains.amoy.contracts.bridge,
        data: name === 'pause' ? '0x8456cb59' : '0x3f4ba83a',
        reference: `${name}:${log.nonce}`,
        purpose: name,
      });
    await switched('pause');
    expect(await person.mint(log)).toMatchObject([503, { code: 'PROVIDER_UNAVAILABLE' }]);
    expect((await person.details(log))[1].data.transaction.status).toBe('BURNED');
    await switched('unpause');
    expect((await person.mint(log))[0]).toBe(200);
    expect(await usdcOf(h, 'amoy', recipient_address)).toBe(10_000_000n);
  });
});

it('a burn that was taken stays on an embedded chain whose node is killed', async () => {
  const person = mover(h, await h.user());
  const wallet = keySigner(generatePrivateKey());
  await fund(h, 'sepolia', wallet.address, 'native', '1');
  await fund(h, 'sepolia', wallet.address, 'USDC', '10');
  const log = await person.begun();
  // By the wallet itself: it is in no journal of ours, from which a chain is rebuilt.
  const client = await chains.sepolia.client();
  const raw = await wallet.sign({
    type: 'legacy',
    chainId: CHAINS.sepolia.chainId,
    nonce: 0,
    gasPrice: (await client.getGasPrice()) * 2n,
    gas: 300_000n,
    ...log.burn_calls[0],
  });
  const tx_hash = await client.sendRawTransaction({ serializedTransaction: raw });
  await mine('sepolia', 3);
  expect((await person.burn(log, { mode: 'external_wallet', tx_hash }))[0]).toBe(200);

  const record = await readFile(
    join(h.dataDir, 'chains', `${CHAINS.sepolia.chainId}.node`),
    'utf8',
  );
  process.kill(Number.parseInt(JSON.parse(record).node, 10), 'SIGKILL');
  const receipt = async () => {
    const again = await chains.sepolia.client();
    if (again === client) throw new Error('The node has not been missed yet');
    return again.getTransactionReceipt({ hash: tx_hash });
  };
  await expect.poll(receipt).toMatchObject({ status: 'success' });
});
