import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { ADA, ELSEWHERE, testCardano } from '#test/cardano.ts';
import { type Blockfrost, blockfrost } from './blockfrost.ts';
import type { Utxo } from './build.ts';
import { loadLib } from './csl.ts';
import { cardanoKeys } from './keys.ts';
import { TREASURY_EMPTY } from './signing.ts';

/** A wallet outside, whose key the test has. */
const owner = await cardanoKeys(
  'legal winner thank year wave sausage worth useful legal winner thank yellow',
)();
const lib = await loadLib();
const c = await testCardano();
const { assetId } = await c.cardano.identity();
const node: Blockfrost = blockfrost({ url: () => `${c.url}/cardano`, projectId: 'test-project' });
const USDC = 1_000_000n;
const FEE = 250_000n;
beforeEach(() => c.world.faults.clear());

const doneOf = <T>(told: { kind: string; value?: T }): T => {
  if (told.kind !== 'done' || told.value === undefined) throw new Error(JSON.stringify(told));
  return told.value;
};
const at = async (address: string) => doneOf(await c.cardano.holdings(address));

/** Of the owner's: so many coins go elsewhere, and the tokens stay with what is left. */
function spend(inputs: readonly Utxo[], lovelace: bigint): Buffer {
  const big = (units: bigint) => lib.BigNum.from_str(String(units));
  const sum = (of: 'lovelace' | 'usdc') => inputs.reduce((all, utxo) => all + utxo[of], 0n);
  const spent = lib.TransactionInputs.new();
  for (const { txHash, index } of inputs)
    spent.add(lib.TransactionInput.new(lib.TransactionHash.from_hex(txHash), index));
  const kept = lib.Value.new(big(sum('lovelace') - lovelace - FEE));
  const tokens = lib.MultiAsset.new();
  const policy = lib.ScriptHash.from_hex(assetId.slice(0, 56));
  tokens.set_asset(policy, lib.AssetName.new(Buffer.from('USDC')), big(sum('usdc')));
  kept.set_multiasset(tokens);
  const outputs = lib.TransactionOutputs.new();
  for (const [address, value] of [
    [ELSEWHERE, lib.Value.new(big(lovelace))],
    [owner.treasury, kept],
  ] as const)
    outputs.add(lib.TransactionOutput.new(lib.Address.from_bech32(address), value));
  const body = lib.TransactionBody.new_tx_body(spent, outputs, big(FEE));
  body.set_ttl(big(4_000_000_000n));
  const made = lib.FixedTransaction.new(
    body.to_bytes(),
    lib.TransactionWitnessSet.new().to_bytes(),
    true,
  );
  owner.sign(made, { mints: true });
  return Buffer.from(made.to_bytes());
}

describe('coins that tokens must have beside them', () => {
  test('are held: what is available can be sent, its fee included, and no unit more', async () => {
    const address = owner.treasury;
    await c.tap({ address, asset: 'native', amount: '20' });
    const minting = { reference: randomUUID(), kind: 'mint', units: 3n * USDC } as const;
    await c.cardano.send({ ...minting, to: address });
    const { lovelace, usdc, held } = await at(address);
    expect({ usdc, held: held.usdc }).toEqual({ usdc: 3n * USDC, held: 0n });
    expect(held.lovelace).toBeGreaterThan(ADA / 2n);
    const available = lovelace - held.lovelace;
    const inputs = doneOf(await node.utxos(address, assetId));
    const more = await node.submit(spend(inputs, available - FEE + 1n));
    expect(more).toMatchObject({ kind: 'refused' });
    expect(JSON.stringify(more)).toContain('BabbageOutputTooSmallUTxO');
    expect(await node.submit(spend(inputs, available - FEE))).toMatchObject({ kind: 'done' });
    const left = await at(address);
    expect(left).toEqual({
      lovelace: held.lovelace,
      usdc: 3n * USDC,
      held: { lovelace: held.lovelace, usdc: 0n },
    });
  });

  test('are none where there are no tokens, and nothing is held of nothing', async () => {
    await c.tap({ address: ELSEWHERE, asset: 'native', amount: '2' });
    expect((await at(ELSEWHERE)).held).toEqual({ lovelace: 0n, usdc: 0n });
  });
});

test('what the treasury has under way is held until the chain has it', async () => {
  const { treasury } = await c.cardano.identity();
  const order = (kind: 'mint' | 'burn', units: bigint) => ({
    reference: randomUUID(),
    kind,
    units,
  });
  await c.cardano.send(order('mint', 10n * USDC));
  const before = await at(treasury);
  expect(before.held.usdc).toBe(0n);
  const impatient = c.reopen({ waitMs: 50 });
  await impatient.send(order('mint', USDC));
  c.world.faults.arm({ provider: 'cardano', kind: 'drop', times: 1000 });
  const lost = order('burn', 4n * USDC);
  expect(await impatient.send(lost)).toMatchObject({ kind: 'unknown' });
  c.world.faults.clear();
  const meanwhile = await at(treasury);
  expect(meanwhile.usdc).toBe(11n * USDC);
  expect(meanwhile.held.usdc).toBe(4n * USDC);
  expect(meanwhile.held.lovelace).toBeGreaterThan(before.held.lovelace);
  const available = meanwhile.usdc - meanwhile.held.usdc;
  const refused = { kind: 'refused', code: TREASURY_EMPTY };
  expect(await c.cardano.send(order('burn', available + 1n))).toMatchObject(refused);
  expect(await c.cardano.send(order('burn', available))).toMatchObject({ kind: 'done' });
  expect(await c.cardano.send(lost)).toMatchObject({ kind: 'done' });
  expect(await at(treasury)).toMatchObject({ usdc: 0n, held: { usdc: 0n } });
});
