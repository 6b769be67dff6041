import { type Address, encodeFunctionData, type Hash, parseEther } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { mintTokenCall } from '#chains/evm/contracts/port.ts';
import { keySigner, readBalances } from '#chains/evm/port.ts';
import { cctpSimulator } from '#sandbox/providers/cctp/simulator.ts';
import { deployCctp, predictCctp } from '#test/cctp.ts';
import { testNetwork } from '#test/evm.ts';
import { testSandbox } from '#test/sandbox.ts';
import { cctp } from './adapter.ts';
import type { CctpBurn } from './port.ts';
import { cctpChains } from './settings.ts';
import { messageTransmitterAbi, readMessage } from './wire.ts';

const test = await testNetwork();
afterAll(() => test.close());
const { network } = test;
const { hot, relayer } = network.keys;
await deployCctp(network);
const chains = predictCctp(network.keys);
const sandbox = await testSandbox(cctpSimulator(chains, network));
const settings = { url: () => `${sandbox.url}/cctp`, chains, relayer: () => relayer.address };
const circle = cctp(settings);
const { sepolia, amoy } = network.chains;

let serial = 0;
const named = (purpose: string) => {
  serial += 1;
  return { purpose, reference: `${purpose}:${serial}` };
};
const fresh = (): Address => keySigner(generatePrivateKey()).address;
const burnTo = (recipient: Address, units = 5_000_000n): CctpBurn => ({
  nonce: `nonce of ${recipient}`,
  from: 'sepolia',
  to: 'amoy',
  units,
  recipient,
});

async function burnBy(burn: CctpBurn, calls = circle.burnCalls(burn)): Promise<Hash> {
  let hash: Hash = '0x';
  const mint = mintTokenCall(sepolia.contracts.usdc, hot.address, burn.units);
  for (const call of [mint, ...calls])
    ({ hash } = await sepolia.sender.execute({ signer: hot, ...call, ...named('burn') }));
  return hash;
}

/** The service's answer about a burn, in its own format. */
async function messageOf(hash: Hash) {
  const reply = await fetch(`${sandbox.url}/cctp/v2/messages/0?transactionHash=${hash}`);
  const { messages } = (await reply.json()) as {
    messages: { message: Hash; attestation: Hash; eventNonce: Hash }[];
  };
  const [message] = messages;
  if (message === undefined) throw new Error('Not attested');
  return message;
}

const usdcOf = async (owner: Address) =>
  (await readBalances(amoy, owner, [amoy.contracts.usdc])).tokens[0];

beforeEach(async () => {
  await sandbox.control('DELETE /faults');
});

describe('a burn over CCTP', () => {
  it('whose attestation is pending or delayed is not refused, and is minted later', async () => {
    const burn = burnTo(fresh());
    const hash = await burnBy(burn);
    await sandbox.control('POST /cctp/holds', { answers: 2, delay_reason: 'insufficient_fee' });
    for (let i = 0; i < 2; i += 1)
      expect(await circle.mintCall({ ...burn, hash })).toEqual({ kind: 'done', value: undefined });
    expect(await circle.mintCall({ ...burn, hash })).toMatchObject({
      kind: 'done',
      value: { to: chains.amoy?.message_transmitter },
    });
  });

  it('is attested, and minted once by the relayer', async () => {
    const burn = burnTo(fresh());
    const hash = await burnBy(burn);
    const attested = await circle.mintCall({ ...burn, hash });
    if (attested.kind !== 'done' || !attested.value) throw new Error(JSON.stringify(attested));
    const call = attested.value;
    await expect(
      amoy.sender.execute({ signer: hot, ...call, ...named('stranger') }),
    ).rejects.toThrow('Invalid caller for message');
    await amoy.sender.execute({ signer: relayer, ...call, ...named('mint') });
    expect(await usdcOf(burn.recipient)).toBe(5_000_000n);
    await expect(
      amoy.sender.execute({ signer: relayer, ...call, ...named('mint') }),
    ).rejects.toThrow('Nonce already used');
  });

  it('is proven by its receipt, exactly and deep enough', async () => {
    const burn = burnTo(fresh());
    const hash = await burnBy(burn);
    const proof = (over: Partial<CctpBurn>, confirmations = 1, of = hash) =>
      circle.proveBurn(sepolia, of, { ...burn, ...over }, confirmations);
    expect(await proof({})).toMatchObject({ proven: { from: hot.address } });
    expect(await proof({}, 50)).toEqual({ disproof: 'unconfirmed' });
    expect(await proof({ units: 4n })).toEqual({ disproof: 'other' });
    expect(await proof({ recipient: fresh() })).toEqual({ disproof: 'other' });
    expect(await proof({ nonce: 'of another transfer' })).toEqual({ disproof: 'other' });
    expect(await proof({}, 1, `0x${'1'.repeat(64)}`)).toEqual({ disproof: 'unknown' });
    const { hash: transfer } = await sepolia.sender.execute({
      signer: hot,
      to: fresh(),
      value: parseEther('1'),
      ...named('transfer'),
    });
    expect(await proof({}, 1, transfer)).toEqual({ disproof: 'other' });
  });

  it('that others could mint is no transfer of ours', async () => {
    const burn = burnTo(fresh());
    const open = cctp({ ...settings, relayer: () => hot.address }).burnCalls(burn);
    const hash = await burnBy(burn, open);
    expect(await circle.proveBurn(sepolia, hash, burn, 1)).toEqual({ disproof: 'other' });
    expect(await circle.mintCall({ ...burn, hash })).toMatchObject({
      kind: 'refused',
      code: 'OTHER_MESSAGE',
    });
  });
});

describe('the attestation service', () => {
  it('has no mint for a burn that it has not seen', async () => {
    const hash: Hash = `0x${'2'.repeat(64)}`;
    expect(await circle.mintCall({ ...burnTo(fresh()), hash })).toEqual({
      kind: 'done',
      value: undefined,
    });
  });

  it.each(['refuse', 'drop', 'commit-then-drop', 'error'])(
    'that answers with %s leaves it unknown, and is asked again',
    async (kind) => {
      const burn = burnTo(fresh());
      const hash = await burnBy(burn);
      await sandbox.control('POST /faults', { provider: 'cctp', kind, times: 1 });
      expect((await circle.mintCall({ ...burn, hash })).kind).toBe('unknown');
      expect((await circle.mintCall({ ...burn, hash })).kind).toBe('done');
    },
  );

  it('attests with the same bytes each time, filling in nonce and finality', async () => {
    const hash = await burnBy(burnTo(fresh()));
    const [attested, again] = [await messageOf(hash), await messageOf(hash)];
    expect(again).toEqual(attested);
    expect(readMessage(attested.message)).toMatchObject({
      nonce: attested.eventNonce,
      minFinalityThreshold: 2000,
      finalityThresholdExecuted: 2000,
      feeExecuted: 0n,
    });
  });

  it('has no valid attestation for an altered message', async () => {
    const burn = burnTo(fresh());
    const hash = await burnBy(burn);
    const { message, attestation } = await messageOf(hash);
    // One message in 256 ends with that byte already.
    const end = message.endsWith('ff') ? '00' : 'ff';
    const altered: Hash = `0x${message.slice(2, -2)}${end}`;
    const data = encodeFunctionData({
      abi: messageTransmitterAbi,
      functionName: 'receiveMessage',
      args: [altered, attestation],
    });
    const to = chains.amoy?.message_transmitter ?? '0x';
    await expect(
      amoy.sender.execute({ signer: relayer, to, data, ...named('forgery') }),
    ).rejects.toThrow('not attester');
  });
});

describe('the settings', () => {
  it('join only chains that both have it', () => {
    expect(circle.joins('sepolia', 'amoy')).toBe(true);
    expect(circle.joins('sepolia', 'neon')).toBe(false);
    expect(cctp({ ...settings, chains: {} }).joins('sepolia', 'amoy')).toBe(false);
  });

  it('are read from JSON, and refused when malformed', () => {
    expect(cctpChains({})).toEqual({});
    expect(cctpChains({ CCTP_CONTRACTS: JSON.stringify(chains) })).toEqual(chains);
    for (const text of ['{', '{"base":{}}', '{"amoy":{"domain":7}}', '[]'])
      expect(() => cctpChains({ CCTP_CONTRACTS: text }), text).toThrow('Bad configuration');
  });
});
