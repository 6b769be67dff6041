import { type Static, Type } from 'typebox';

/** What we read of Blockfrost's answers; there is more in them. */

const Units = Type.String({ pattern: '^[0-9]{1,30}$' });
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
export const WireParams = Type.Object({
  min_fee_a: Type.Integer(),
  min_fee_b: Type.Integer(),
  coins_per_utxo_size: Units,
  key_deposit: Units,
  pool_deposit: Units,
  max_tx_size: Type.Integer(),
  max_val_size: Units,
});
export const WireBlock = Type.Object({
  hash: Hash,
  slot: Type.Integer(),
  height: Type.Integer(),
  time: Type.Integer(),
});
const WireAmount = Type.Array(Type.Object({ unit: Type.String(), quantity: Units }));
export const WireUtxos = Type.Array(
  Type.Object({ tx_hash: Hash, output_index: Type.Integer(), amount: WireAmount }),
);
export const WireAddress = Type.Object({ amount: WireAmount });
export const WireTx = Type.Object({
  hash: Hash,
  block_height: Type.Integer(),
  block_time: Type.Integer(),
  slot: Type.Integer(),
  fees: Units,
});
const WirePlace = Type.Object({
  address: Type.String(),
  amount: WireAmount,
  collateral: Type.Optional(Type.Boolean()),
  reference: Type.Optional(Type.Boolean()),
});
export type WirePlace = Static<typeof WirePlace>;
/** What a transaction spends and makes. */
export const WireTxUtxos = Type.Object({
  inputs: Type.Array(WirePlace),
  outputs: Type.Array(WirePlace),
});
export const WireMempoolTx = Type.Object({
  tx: Type.Object({ fees: Units }),
  outputs: Type.Array(WirePlace),
});
export const WireAsset = Type.Object({ asset: Type.String(), quantity: Units });
export const WireAssetTransactions = Type.Array(
  Type.Object({ tx_hash: Hash, block_height: Type.Integer(), block_time: Type.Integer() }),
);
/** A burn's amount has a minus on some versions and none on others; the action tells. */
export const WireAssetHistory = Type.Array(
  Type.Object({
    tx_hash: Hash,
    action: Type.Union([Type.Literal('minted'), Type.Literal('burned')]),
    amount: Type.String({ pattern: '^-?[0-9]{1,30}$' }),
  }),
);
export type WireAmounts = Static<typeof WireAmount>;
/** How many rows Blockfrost gives at a time. */
export const PAGE = 100;
