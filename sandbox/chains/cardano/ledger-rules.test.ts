import type { TransactionBodyJSON } from '@emurgo/cardano-serialization-lib-nodejs';
import { describe, expect, test } from 'vitest';
import { build, USUAL_PARAMS as PARAMS, type Utxo } from '#chains/cardano/build.ts';
import { loadLib } from '#chains/cardano/csl.ts';
import { ASSET_NAME, cardanoKeys, typedAddress } from '#chains/cardano/keys.ts';
import { ELSEWHERE } from '#test/cardano.ts';
import { TEST_MNEMONIC } from '#test/evm.ts';
import { checkTransaction, Invalid, type Output } from './ledger-rules.ts';
import { PARAMS as RULES } from './parameters.ts';

const lib = await loadLib();
const keys = await cardanoKeys(TEST_MNEMONIC)();
const stranger = await cardanoKeys(
  'legal winner thank year wave sausage worth useful legal winner thank yellow',
)();

const UTXO: Utxo = { txHash: 'ab'.repeat(32), index: 0, lovelace: 100_000_000n, usdc: 0n };
const OUTPUT: Output = { address: keys.treasury, amounts: { lovelace: '100000000' } };
const SLOT = 1000n;
const wish = { kind: 'mint', units: 5_000_000n } as const;
const good = build(lib, keys, { ...wish, inputs: [UTXO], params: PARAMS, ttl: 2000 });

const judge = (raw: Buffer, spent: readonly (Output | undefined)[] = [OUTPUT]) =>
  checkTransaction(lib, raw, { params: RULES, slot: SLOT, spent });

type Signer = 'both' | 'nobody' | 'a stranger' | 'somebody else for another body';
type Witnesses = Parameters<(typeof keys)['sign']>[0];

/** The good one with another body, signed for that body. */
function changed(change: (body: TransactionBodyJSON) => void, signer: Signer = 'both'): Buffer {
  const first = lib.FixedTransaction.from_bytes(good.raw);
  const body = JSON.parse(first.body().to_json()) as TransactionBodyJSON;
  change(body);
  const bytes = lib.TransactionBody.from_json(JSON.stringify(body)).to_bytes();
  if (signer === 'somebody else for another body')
    return Buffer.from(lib.FixedTransaction.new(bytes, first.raw_witness_set(), true).to_bytes());
  const scripts = lib.NativeScripts.new();
  if (body.mint) scripts.add(keys.script);
  const set = lib.TransactionWitnessSet.new();
  if (body.mint) set.set_native_scripts(scripts);
  const made: Witnesses = lib.FixedTransaction.new(bytes, set.to_bytes(), true);
  if (signer === 'both') keys.sign(made, { mints: true });
  if (signer === 'a stranger') stranger.sign(made, { mints: true });
  return Buffer.from(made.to_bytes());
}

const firstOutput = ({ outputs }: TransactionBodyJSON) => {
  const [output] = outputs;
  if (!output) throw new Error('A body without outputs');
  return output;
};

test('what the builder makes is good', () => {
  expect(judge(good.raw)).toMatchObject({
    hash: good.hash,
    fee: String(good.fee),
    minted: { [keys.assetId]: '5000000' },
    outputs: [{ address: keys.treasury }],
  });
  expect(judge(changed(() => undefined))).toMatchObject({ hash: good.hash });
});

describe('the ledger refuses', () => {
  const more = (body: TransactionBodyJSON, units: bigint) => {
    const { amount } = firstOutput(body);
    amount.coin = String(BigInt(amount.coin) + units);
  };
  test.each<[what: string, rule: string, change: (body: TransactionBodyJSON) => void]>([
    ['coins out of nothing', 'ValueNotConservedUTxO', (body) => more(body, 1n)],
    ['coins that vanish', 'ValueNotConservedUTxO', (body) => more(body, -1n)],
    [
      'more tokens than are minted',
      'ValueNotConservedUTxO',
      (body) => {
        const tokens = firstOutput(body).amount.multiasset?.[keys.policyId];
        if (tokens) tokens[ASSET_NAME] = '5000001';
      },
    ],
    [
      'an output with too few coins',
      'BabbageOutputTooSmallUTxO',
      (body) => {
        more(body, -500_000n);
        body.outputs.push({
          ...firstOutput(body),
          amount: { coin: '500000', multiasset: null },
        });
        body.fee = String(BigInt(body.fee) + 20_000n);
        more(body, -20_000n);
      },
    ],
    ['what is past its last slot', 'OutsideValidityIntervalUTxO', (body) => (body.ttl = '999')],
    [
      'what is not valid yet',
      'OutsideValidityIntervalUTxO',
      (body) => (body.validity_start_interval = '1001'),
    ],
    [
      'an address of the main network',
      'WrongNetwork',
      (body) => {
        firstOutput(body).address = 'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8';
      },
    ],
    [
      'what the sandbox does not know',
      'Not known to the sandbox: total_collateral',
      (body) => (body.total_collateral = '1'),
    ],
  ])('%s', (_, rule, change) => {
    expect(() => judge(changed(change))).toThrow(new Invalid(rule));
  });

  test('a fee that is a unit too small', () => {
    const feeFixed = good.fee + 1n - PARAMS.feePerByte * BigInt(good.raw.length);
    const dearer = { ...RULES, feeFixed };
    const given = { params: dearer, slot: SLOT, spent: [OUTPUT] };
    expect(() => checkTransaction(lib, good.raw, given)).toThrow(new Invalid('FeeTooSmallUTxO'));
  });

  test('an input that is not there, or is there twice', () => {
    expect(() => judge(good.raw, [undefined])).toThrow(new Invalid('BadInputsUTxO'));
    const twice = changed(({ inputs }) => inputs.push(...inputs));
    expect(() => judge(twice, [OUTPUT, OUTPUT])).toThrow(Invalid);
  });

  test('who did not sign, or signed another body', () => {
    const same = () => undefined;
    expect(() => judge(changed(same, 'nobody'))).toThrow(new Invalid('MissingVKeyWitnessesUTXOW'));
    expect(() => judge(changed(same, 'a stranger'))).toThrow(
      new Invalid('MissingVKeyWitnessesUTXOW'),
    );
    const other = changed((body) => (body.ttl = '2001'), 'somebody else for another body');
    expect(() => judge(other)).toThrow(new Invalid('InvalidWitnessesUTXOW'));
  });

  test('a mint without the policy’s key: it has the stranger’s coins, not ours', () => {
    const theirs = { address: stranger.treasury, amounts: OUTPUT.amounts };
    const forged = changed(() => undefined, 'a stranger');
    expect(() => judge(forged, [theirs])).toThrow(new Invalid('ScriptWitnessNotValidatingUTXOW'));
  });

  test('what is no transaction, and what is too large for a block', () => {
    expect(() => judge(Buffer.from('84a300'))).toThrow(/DecoderFailure/);
    expect(() => judge(Buffer.alloc(0))).toThrow(/DecoderFailure/);
    const small = { ...RULES, maxTxSize: 100 };
    const given = { params: small, slot: SLOT, spent: [OUTPUT] };
    expect(() => checkTransaction(lib, good.raw, given)).toThrow(new Invalid('MaxTxSizeUTxO'));
  });
});

test('transactions leave nothing behind in the library’s memory, which no collector reaches', () => {
  const { memory } = (lib as unknown as { __wasm: { memory: { buffer: ArrayBuffer } } }).__wasm;
  const some = (count: number) => {
    for (let n = 0; n < count; n += 1) {
      const plan = { ...wish, inputs: [UTXO], params: PARAMS, ttl: 2000 };
      judge(build(lib, keys, { ...plan, to: ELSEWHERE }).raw);
      expect(typedAddress(lib, ELSEWHERE)).toBe(ELSEWHERE);
    }
  };
  some(20);
  const before = memory.buffer.byteLength;
  some(400);
  expect(memory.buffer.byteLength).toBe(before);
});
