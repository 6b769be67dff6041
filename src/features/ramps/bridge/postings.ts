import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { BridgeRow } from './store.ts';

/**
 * The platform's accounts of the bridge. Minus posted of `transit` is on its way between two chains, of `treasury` what
 * the bridge has at the platform's addresses; posted of `owed` belongs to those who sent it.
 */
const HOUSE = {
  transit: 'bridge-transit',
  treasury: 'bridge-treasury',
  owed: 'bridge-owed',
  fees: 'bridge-fees',
} as const;

type HouseName = keyof typeof HOUSE;

const account = (tx: Db, name: HouseName): Promise<number> =>
  openAccount(tx, houseAccount(HOUSE[name], 'USDC'));

/** What is burnt, minted and sent on: the amount without the fees. */
export const carriedUnits = ({
  amount,
  platform_fee,
  network_fee,
}: Pick<BridgeRow, 'amount' | 'platform_fee' | 'network_fee'>): bigint =>
  amount - platform_fee - network_fee;

interface BridgePosting {
  readonly step: 'burn' | 'fee' | 'mint' | 'send' | 'advance';
  readonly from: HouseName;
  readonly to: HouseName;
  readonly units: bigint;
}

async function post(
  tx: Db,
  { object_id, client_id }: BridgeRow,
  { step, from, to, units }: BridgePosting,
): Promise<void> {
  const legs = [
    { account: await account(tx, from), amount: -units },
    { account: await account(tx, to), amount: units },
  ];
  const key = `bridge-${step}:${object_id}`;
  await postWithin(tx, { key, kind: `bridge-${step}`, legs, meta: { client_id } });
}

/** The burn is final: it is owed until it has arrived. */
export const bookBurnt = (tx: Db, row: BridgeRow): Promise<void> =>
  post(tx, row, { step: 'burn', from: 'transit', to: 'owed', units: carriedUnits(row) });

/** The fees have arrived at the treasury. */
export const bookFee = (tx: Db, row: BridgeRow): Promise<void> =>
  post(tx, row, {
    step: 'fee',
    from: 'treasury',
    to: 'fees',
    units: row.platform_fee + row.network_fee,
  });

/** It is minted to the platform's address, also where it was paid ahead before. */
export const bookMinted = (tx: Db, row: BridgeRow): Promise<void> =>
  post(tx, row, { step: 'mint', from: 'treasury', to: 'transit', units: carriedUnits(row) });

/** The recipient has it. */
export const bookSent = (tx: Db, row: BridgeRow): Promise<void> =>
  post(tx, row, { step: 'send', from: 'owed', to: 'treasury', units: carriedUnits(row) });

/** The source has it back, from the treasury of its own chain. */
export const bookAdvanced = (tx: Db, row: BridgeRow): Promise<void> =>
  post(tx, row, { step: 'advance', from: 'owed', to: 'treasury', units: carriedUnits(row) });
