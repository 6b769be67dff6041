import type {
  FixedTransaction,
  NativeScript,
  TransactionBody,
} from '@emurgo/cardano-serialization-lib-nodejs';
import { blake2b } from '@noble/hashes/blake2.js';
import { inLib, type Keep, type Lib } from '#chains/cardano/csl.ts';

/** Of the test networks. */
const NETWORK_ID = 0;

/** What the network asks of a transaction. */
export interface SimulatedParams {
  readonly feePerByte: bigint;
  readonly feeFixed: bigint;
  readonly coinsPerByte: bigint;
  readonly maxTxSize: number;
}

/** An output, with all its tokens by policy and name. */
export interface Output {
  readonly address: string;
  /** Units as text by `lovelace`, or policy and name in hexadecimal digits. */
  readonly amounts: Readonly<Record<string, string>>;
}

/** What a transaction does, once it was found good. */
export interface SimulatedCardanoCheck {
  readonly hash: string;
  readonly size: number;
  readonly fee: string;
  readonly inputs: readonly { readonly txHash: string; readonly index: number }[];
  readonly outputs: readonly Output[];
  /** What is minted, and with a minus burnt. */
  readonly minted: Readonly<Record<string, string>>;
  /** The slots between which it may come into a block, as it says them. */
  readonly interval: { readonly start?: string; readonly end?: string };
}

/** What the ledger has besides the transaction. */
export interface Circumstances {
  readonly params: SimulatedParams;
  readonly slot: bigint;
  /** The outputs that it spends, in the order of its inputs; nothing where one is not there. */
  readonly spent: readonly (Output | undefined)[];
}

/** In the ledger's own words, with which it refuses a transaction. */
export class Invalid extends Error {
  override readonly name = 'Invalid';
}

const refuse = (rule: string): never => {
  throw new Invalid(rule);
};

/** Which outputs it wants to spend: what has to be known to check it. Throws what it cannot read. */
export function inputsOf(lib: Lib, raw: Buffer): SimulatedCardanoCheck['inputs'] {
  return reading(lib, raw, ({ body }) => readInputs(body));
}

/**
 * The rules of the ledger for what we use of it: the same checks in the same order of the network's own,
 * with its names. What we do not use is refused rather than let pass.
 */
export function checkTransaction(
  lib: Lib,
  raw: Buffer,
  { params, slot, spent }: Circumstances,
): SimulatedCardanoCheck {
  return reading(lib, raw, ({ keep, transaction, body }) => {
    const hash = keep(transaction.transaction_hash()).to_hex();
    const wire = body.to_js_value();
    const inputs = readInputs(body);
    mustBeModelled(keep, transaction, wire);
    mustNameMetadata(transaction, wire.auxiliary_data_hash);
    const { ttl, validity_start_interval: start } = wire;
    if ((ttl && BigInt(ttl) < slot) || (start && BigInt(start) > slot))
      refuse('OutsideValidityIntervalUTxO');
    if (inputs.length === 0) refuse('InputSetEmptyUTxO');
    if (raw.length > params.maxTxSize) refuse('MaxTxSizeUTxO');
    const found = spent.map((output) => output ?? refuse('BadInputsUTxO'));
    if (found.length !== inputs.length) refuse('BadInputsUTxO');
    if (BigInt(wire.fee) < params.feePerByte * BigInt(raw.length) + params.feeFixed)
      refuse('FeeTooSmallUTxO');
    const outputs = wire.outputs.map(({ address, amount }) => ({
      address,
      amounts: amountsOf(amount.coin, amount.multiasset ?? {}),
    }));
    const minted = mintedOf(wire.mint ?? []);
    const fee = { lovelace: wire.fee };
    mustConserve([...found.map((o) => o.amounts), minted], [...outputs.map((o) => o.amounts), fee]);
    mustBeLargeEnough(lib, keep, body, params);
    const interval = { start: start && BigInt(start), end: ttl && BigInt(ttl) };
    const also = wire.required_signers ?? [];
    mustBeSigned({ lib, keep, transaction, interval, also }, found, minted);
    const said = { ...(start && { start }), ...(ttl && { end: ttl }) };
    return { hash, size: raw.length, fee: wire.fee, inputs, outputs, minted, interval: said };
  });
}

interface Read {
  readonly keep: Keep;
  readonly transaction: FixedTransaction;
  readonly body: TransactionBody;
}

function reading<T>(lib: Lib, raw: Buffer, work: (read: Read) => T): T {
  return inLib((keep) => {
    let transaction: FixedTransaction;
    try {
      transaction = keep(lib.FixedTransaction.from_bytes(raw));
    } catch (error) {
      throw new Invalid(`DecoderFailure: ${String(error)}`);
    }
    return work({ keep, transaction, body: keep(transaction.body()) });
  });
}

function readInputs(body: TransactionBody): SimulatedCardanoCheck['inputs'] {
  const { inputs } = body.to_js_value();
  const names = new Set(inputs.map(({ transaction_id, index }) => `${transaction_id}#${index}`));
  if (names.size !== inputs.length) refuse('BadInputsUTxO');
  return inputs.map(({ transaction_id: txHash, index }) => ({ txHash, index }));
}

/** What a body may say; anything else would have rules that are not here. */
const MODELLED = [
  ...['inputs', 'outputs', 'fee', 'ttl', 'validity_start_interval', 'mint'],
  ...['auxiliary_data_hash', 'network_id', 'required_signers'],
];

function mustBeModelled(keep: Keep, transaction: FixedTransaction, wire: object): void {
  const said = Object.entries(wire).filter(([, value]) => value !== null && value !== undefined);
  const unknown = said.find(([name]) => !MODELLED.includes(name));
  if (unknown) refuse(`Not known to the sandbox: ${unknown[0]}`);
  if (!transaction.is_valid()) refuse('Not known to the sandbox: a failed script');
  const network = (wire as { network_id?: string | null }).network_id;
  if (network && network !== 'Testnet') refuse('WrongNetworkInTxBody');
  const { vkeys: _, native_scripts: __, ...others } = keep(transaction.witness_set()).to_js_value();
  const witness = Object.entries(others).find(([, value]) => value !== null && value !== undefined);
  if (witness) refuse(`Not known to the sandbox: ${witness[0]}`);
}

/** Metadata say what they like; only that the body names their hash is a rule. */
function mustNameMetadata(transaction: FixedTransaction, hash: string | null | undefined): void {
  const said = transaction.raw_auxiliary_data();
  const real = said && Buffer.from(blake2b(said, { dkLen: 32 })).toString('hex');
  if (real && !hash) refuse('MissingTxBodyMetadataHash');
  if (!real && hash) refuse('MissingTxMetadata');
  if (real && real !== hash) refuse('ConflictingMetadataHash');
}

type Amounts = Readonly<Record<string, string>>;

function amountsOf(coin: string, tokens: Record<string, Record<string, string>>): Amounts {
  const named = Object.entries(tokens).flatMap(([policy, assets]) =>
    Object.entries(assets).map(([name, units]) => [`${policy}${name}`, units]),
  );
  return Object.fromEntries([['lovelace', coin], ...named]);
}

/** A list of policies; one may come more than once. */
function mintedOf(mint: readonly (readonly [string, Record<string, string>])[]): Amounts {
  const all = new Map<string, bigint>();
  for (const [policy, assets] of mint)
    for (const [name, units] of Object.entries(assets)) {
      const asset = `${policy}${name}`;
      all.set(asset, (all.get(asset) ?? 0n) + BigInt(units));
    }
  return Object.fromEntries([...all].map(([asset, units]) => [asset, String(units)]));
}

/** To the last unit of each asset: what comes in goes out, or to the fee. */
function mustConserve(ins: readonly Amounts[], outs: readonly Amounts[]): void {
  const totals = new Map<string, bigint>();
  const add = (amounts: Amounts, sign: bigint) => {
    for (const [asset, units] of Object.entries(amounts))
      totals.set(asset, (totals.get(asset) ?? 0n) + sign * BigInt(units));
  };
  for (const amounts of ins) add(amounts, 1n);
  for (const amounts of outs) add(amounts, -1n);
  if ([...totals.values()].some((units) => units !== 0n)) refuse('ValueNotConservedUTxO');
}

function mustBeLargeEnough(
  lib: Lib,
  keep: Keep,
  body: TransactionBody,
  params: SimulatedParams,
): void {
  const perByte = keep(lib.BigNum.from_str(String(params.coinsPerByte)));
  const cost = keep(lib.DataCost.new_coins_per_byte(perByte));
  const outputs = keep(body.outputs());
  for (let i = 0; i < outputs.len(); i += 1) {
    const output = keep(outputs.get(i));
    if (keep(output.address()).network_id() !== NETWORK_ID) refuse('WrongNetwork');
    const least = BigInt(keep(lib.min_ada_for_output(output, cost)).to_str());
    const coins = BigInt(keep(keep(output.amount()).coin()).to_str());
    if (coins < least) refuse('BabbageOutputTooSmallUTxO');
  }
}

interface Signing {
  readonly lib: Lib;
  readonly keep: Keep;
  readonly transaction: FixedTransaction;
  /** In which slots it may come into a block; what it does not say is not limited. */
  readonly interval: { readonly start: Bound; readonly end: Bound };
  /** Keys whose signatures the body itself wants. */
  readonly also: readonly string[];
}
type Bound = bigint | '' | null | undefined;

function mustBeSigned(signing: Signing, spent: readonly Output[], minted: Amounts): void {
  const { lib, keep } = signing;
  const signers = signersOf(signing);
  const scripts = scriptsOf(signing);
  if (signing.also.some((key) => !signers.has(key))) refuse('MissingVKeyWitnessesUTXOW');
  for (const { address } of spent) {
    const parsed = keep(lib.Address.from_bech32(address));
    const owner = parsed.payment_cred();
    const key = owner && keep(owner).to_keyhash();
    if (!key) refuse('Not known to the sandbox: an input that is a script');
    else if (!signers.has(keep(key).to_hex())) refuse('MissingVKeyWitnessesUTXOW');
  }
  const policies = new Set(Object.keys(minted).map((asset) => asset.slice(0, POLICY_DIGITS)));
  for (const policy of policies) {
    const script = scripts.get(policy) ?? refuse('MissingScriptWitnessesUTXOW');
    if (!holds(signing, script, signers)) refuse('ScriptWitnessNotValidatingUTXOW');
  }
  if (scripts.size !== policies.size) refuse('ExtraneousScriptWitnessesUTXOW');
}

const POLICY_DIGITS = 56;

/** The hashes of the keys whose signatures are good; one that is not spoils the transaction. */
function signersOf({ keep, transaction }: Signing): ReadonlySet<string> {
  const body = keep(transaction.transaction_hash()).to_bytes();
  const witnesses = keep(transaction.witness_set()).vkeys();
  const signers = new Set<string>();
  if (!witnesses) return signers;
  keep(witnesses);
  for (let i = 0; i < witnesses.len(); i += 1) {
    const witness = keep(witnesses.get(i));
    const key = keep(keep(witness.vkey()).public_key());
    if (!key.verify(body, keep(witness.signature()))) refuse('InvalidWitnessesUTXOW');
    signers.add(keep(key.hash()).to_hex());
  }
  return signers;
}

function scriptsOf({ keep, transaction }: Signing): ReadonlyMap<string, NativeScript> {
  const scripts = new Map<string, NativeScript>();
  const found = keep(transaction.witness_set()).native_scripts();
  if (!found) return scripts;
  keep(found);
  for (let i = 0; i < found.len(); i += 1) {
    const script = keep(found.get(i));
    scripts.set(keep(script.hash()).to_hex(), script);
  }
  return scripts;
}

type Told = {
  readonly ScriptPubkey?: { readonly addr_keyhash: string };
  readonly ScriptAll?: { readonly native_scripts: readonly Told[] };
  readonly ScriptAny?: { readonly native_scripts: readonly Told[] };
  readonly ScriptNOfK?: { readonly n: number; readonly native_scripts: readonly Told[] };
  readonly TimelockStart?: { readonly slot: string };
  readonly TimelockExpiry?: { readonly slot: string };
};

/** Whether it lets them: what it says of time is held against the transaction's own interval. */
function holds({ interval }: Signing, script: NativeScript, signers: ReadonlySet<string>): boolean {
  const { start, end } = interval;
  const isTrue = (told: Told): boolean => {
    const { ScriptPubkey, ScriptAll, ScriptAny, ScriptNOfK, TimelockStart, TimelockExpiry } = told;
    if (ScriptPubkey) return signers.has(ScriptPubkey.addr_keyhash);
    if (ScriptAll) return ScriptAll.native_scripts.every(isTrue);
    if (ScriptAny) return ScriptAny.native_scripts.some(isTrue);
    if (ScriptNOfK) return ScriptNOfK.native_scripts.filter(isTrue).length >= ScriptNOfK.n;
    if (TimelockStart) return typeof start === 'bigint' && start >= BigInt(TimelockStart.slot);
    if (!TimelockExpiry) return false;
    return typeof end === 'bigint' && end <= BigInt(TimelockExpiry.slot);
  };
  return isTrue(script.to_js_value() as Told);
}
