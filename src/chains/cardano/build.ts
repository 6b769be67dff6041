import type {
  MintBuilder,
  TransactionBuilder,
  TransactionBuilderConfig,
} from '@emurgo/cardano-serialization-lib-nodejs';
import { inLib, type Keep, type Lib } from './csl.ts';
import { ASSET_NAME, type CardanoKeys } from './keys.ts';

/** What the network asks of a transaction. */
export interface Params {
  readonly feePerByte: bigint;
  readonly feeFixed: bigint;
  readonly coinsPerByte: bigint;
  readonly keyDeposit: bigint;
  readonly poolDeposit: bigint;
  readonly maxTxSize: number;
  readonly maxValueSize: number;
}

/** An output of the treasury's: coins, and of tokens ours alone. */
export interface Utxo {
  readonly txHash: string;
  readonly index: number;
  readonly lovelace: bigint;
  readonly usdc: bigint;
}

export interface TransactionRequest {
  readonly kind: 'mint' | 'burn' | 'send';
  /** Of USDC, more than zero. */
  readonly units: bigint;
  /** Who gets it; without it the treasury keeps what is minted. */
  readonly to?: string | undefined;
}

/** A signed transaction, whose hash is known before anybody has seen it. */
export interface SignedCardanoTransaction {
  readonly hash: string;
  readonly raw: Buffer;
  readonly fee: bigint;
  /** What went to the recipient along with the tokens, since no output may be without coins. */
  readonly sent: bigint;
  readonly spent: readonly Utxo[];
  /** What the treasury gets back, in outputs of its own. */
  readonly change: readonly Utxo[];
}

/** The most inputs that one transaction takes: far from what its size allows. */
const INPUTS_MAX = 60;
/** More than any of our transactions costs, outputs included, so that what is chosen is enough. */
const MARGIN = 4_000_000n;

/**
 * Which outputs pay for it: those with tokens first when tokens are burnt or sent, the largest first. Nothing when
 * all of them together do not.
 */
export function choose(
  all: readonly Utxo[],
  { kind, units }: TransactionRequest,
): Utxo[] | undefined {
  const chosen: Utxo[] = [];
  const wanted = kind === 'mint' ? 0n : units;
  const take = (candidates: readonly Utxo[], isEnough: () => boolean) => {
    for (const utxo of candidates) {
      if (isEnough() || chosen.length === INPUTS_MAX) return;
      if (!chosen.includes(utxo)) chosen.push(utxo);
    }
  };
  const sum = (of: 'usdc' | 'lovelace') => chosen.reduce((total, utxo) => total + utxo[of], 0n);
  const by = (of: 'usdc' | 'lovelace') =>
    [...all].sort((a, b) => (a[of] === b[of] ? 0 : a[of] < b[of] ? 1 : -1));
  take(by('usdc'), () => sum('usdc') >= wanted);
  take(by('lovelace'), () => sum('lovelace') >= MARGIN);
  return sum('usdc') >= wanted && sum('lovelace') >= MARGIN ? chosen : undefined;
}

interface Plan extends TransactionRequest {
  readonly inputs: readonly Utxo[];
  readonly params: Params;
  /** The last slot in which it may come into a block. */
  readonly ttl: number;
}

/** Builds and signs it: its fee is the least that the network takes. */
export const build = (lib: Lib, keys: CardanoKeys, plan: Plan): SignedCardanoTransaction =>
  inLib((keep) => {
    const tools = toolsOf(lib, keep);
    const builder = keep(lib.TransactionBuilder.new(configOf(tools, plan.params)));
    for (const input of plan.inputs) addInput(tools, builder, keys, input);
    if (plan.kind !== 'send') builder.set_mint_builder(mintOf(tools, keys, plan));
    builder.set_ttl_bignum(tools.big(BigInt(plan.ttl)));
    const sent = plan.to === undefined ? 0n : addRecipient(tools, builder, keys, plan);
    builder.add_change_if_needed(keep(lib.Address.from_bech32(keys.treasury)));
    const unsigned = keep(builder.build_tx());
    const signed = keep(lib.FixedTransaction.from_bytes(unsigned.to_bytes()));
    keys.sign(signed, { mints: plan.kind !== 'send' });
    const body = keep(signed.body());
    const hash = keep(signed.transaction_hash()).to_hex();
    const { fee, outputs } = body.to_js_value();
    return {
      hash,
      raw: Buffer.from(signed.to_bytes()),
      fee: BigInt(fee),
      sent,
      spent: plan.inputs,
      change: outputs.flatMap(({ address, amount }, index) => {
        if (address !== keys.treasury) return [];
        const usdc = BigInt(amount.multiasset?.[keys.policyId]?.[ASSET_NAME] ?? 0);
        return [{ txHash: hash, index, lovelace: BigInt(amount.coin), usdc }];
      }),
    };
  });

interface Tools {
  readonly lib: Lib;
  readonly keep: Keep;
  big(units: bigint): ReturnType<Lib['BigNum']['from_str']>;
}

const toolsOf = (lib: Lib, keep: Keep): Tools => ({
  lib,
  keep,
  big: (units) => keep(lib.BigNum.from_str(String(units))),
});

function configOf({ lib, keep, big }: Tools, params: Params): TransactionBuilderConfig {
  const { feePerByte, feeFixed, coinsPerByte, keyDeposit, poolDeposit } = params;
  const empty = keep(lib.TransactionBuilderConfigBuilder.new());
  const paying = keep(empty.fee_algo(keep(lib.LinearFee.new(big(feePerByte), big(feeFixed)))));
  const holding = keep(paying.coins_per_utxo_byte(big(coinsPerByte)));
  const keyed = keep(holding.key_deposit(big(keyDeposit)));
  const pooled = keep(keyed.pool_deposit(big(poolDeposit)));
  const valued = keep(pooled.max_value_size(params.maxValueSize));
  return keep(keep(valued.max_tx_size(params.maxTxSize)).build());
}

function addInput(
  { lib, keep, big }: Tools,
  builder: TransactionBuilder,
  keys: CardanoKeys,
  { txHash, index, lovelace, usdc }: Utxo,
): void {
  const value = keep(lib.Value.new(big(lovelace)));
  if (usdc > 0n) value.set_multiasset(tokens({ lib, keep, big }, keys, usdc));
  const owner = keep(lib.Ed25519KeyHash.from_hex(keys.treasuryHash));
  const from = keep(lib.TransactionInput.new(keep(lib.TransactionHash.from_hex(txHash)), index));
  builder.add_key_input(owner, from, value);
}

function tokens({ lib, keep, big }: Tools, keys: CardanoKeys, usdc: bigint) {
  const assets = keep(lib.Assets.new());
  assets.insert(nameOf(lib, keep), big(usdc));
  const all = keep(lib.MultiAsset.new());
  all.insert(keep(keys.script.hash()), assets);
  return all;
}

const nameOf = (lib: Lib, keep: Keep) => keep(lib.AssetName.new(Buffer.from(ASSET_NAME, 'hex')));

function mintOf(
  { lib, keep }: Tools,
  keys: CardanoKeys,
  { kind, units }: TransactionRequest,
): MintBuilder {
  const minting = keep(lib.MintBuilder.new());
  const witness = lib.MintWitness.new_native_script(keep(lib.NativeScriptSource.new(keys.script)));
  const amount = keep(lib.Int.from_str(String(kind === 'mint' ? units : -units)));
  minting.add_asset(keep(witness), nameOf(lib, keep), amount);
  return minting;
}

/** The tokens for somebody else, with as few coins as the network allows; answers how many. */
function addRecipient(
  tools: Tools,
  builder: TransactionBuilder,
  keys: CardanoKeys,
  plan: Plan,
): bigint {
  const least = leastCoins(tools, keys, plan);
  builder.add_output(recipientOutput(tools, keys, plan, least));
  return least;
}

type Recipient = Pick<Plan, 'to' | 'units' | 'params'>;

function recipientOutput(
  tools: Tools,
  keys: CardanoKeys,
  { to = '', units }: Recipient,
  lovelace: bigint,
) {
  const { lib, keep, big } = tools;
  const value = keep(lib.Value.new(big(lovelace)));
  value.set_multiasset(tokens(tools, keys, units));
  return keep(lib.TransactionOutput.new(keep(lib.Address.from_bech32(to)), value));
}

/** Its size counts the coins in it, so that they are asked for with about as many. */
function leastCoins(tools: Tools, keys: CardanoKeys, recipient: Recipient): bigint {
  const { lib, keep, big } = tools;
  const cost = keep(lib.DataCost.new_coins_per_byte(big(recipient.params.coinsPerByte)));
  const output = recipientOutput(tools, keys, recipient, MARGIN);
  return BigInt(keep(lib.min_ada_for_output(output, cost)).to_str());
}

/** Bytes of a transaction of ours with a dozen inputs; most have one or two, and are half as long. */
const BYTES = 1_000n;

/**
 * What a transaction takes from the treasury, in lovelace: its fee, and the coins that go along with tokens. The
 * fee is that of a long one, since its inputs are chosen when it is signed.
 */
export const chainCostOf = (
  lib: Lib,
  keys: CardanoKeys,
  { params, ...wish }: TransactionRequest & Pick<Plan, 'params'>,
) =>
  inLib((keep) => {
    const fee = params.feeFixed + params.feePerByte * BYTES;
    if (wish.to === undefined) return fee;
    return fee + leastCoins(toolsOf(lib, keep), keys, { ...wish, params });
  });

/** What the networks have asked for since 2022; used until the network itself has said. */
export const USUAL_PARAMS: Params = {
  feePerByte: 44n,
  feeFixed: 155_381n,
  coinsPerByte: 4_310n,
  keyDeposit: 2_000_000n,
  poolDeposit: 500_000_000n,
  maxTxSize: 16_384,
  maxValueSize: 5_000,
};
