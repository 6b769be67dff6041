import type { DonePayment, FarLedger } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Leg, transfer } from '#kernel/ledger/ledger.ts';
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

/** The treasury of the near side has the amount for good: what is minted elsewhere is owed, the fees are the platform's. */
export async function bookTaken(tx: Db, row: BridgeRow): Promise<void> {
  const treasury = await account(tx, 'treasury');
  const fees = row.platform_fee + row.network_fee;
  const legs = [
    { account: treasury, amount: -row.amount },
    { account: await account(tx, 'owed'), amount: carriedUnits(row) },
    ...(fees === 0n ? [] : [{ account: await account(tx, 'fees'), amount: fees }]),
  ];
  await postLegs(tx, row, { step: 'burn', legs });
}

/** Minted or issued on a ledger, to the platform's address there. */
export async function bookMintedFar(tx: Db, row: BridgeRow, far: FarDone): Promise<void> {
  const { held, issued } = await far.ledger.accounts(tx, await account(tx, 'treasury'));
  const legs = transfer(held, issued, carriedUnits(row));
  await postLegs(tx, row, { step: 'mint', legs, far });
}

/** The recipient has it from there. */
export async function bookSentFar(tx: Db, row: BridgeRow, far: FarDone): Promise<void> {
  const owed = await account(tx, 'owed');
  const { held } = await far.ledger.accounts(tx, await account(tx, 'treasury'));
  const legs = transfer(owed, held, carriedUnits(row));
  await postLegs(tx, row, { step: 'send', legs, far });
}

/** What has happened on which ledger. */
export interface FarDone {
  readonly ledger: FarLedger;
  readonly done: DonePayment;
}

interface LegsPosting {
  readonly step: BridgePosting['step'];
  readonly legs: readonly Leg[];
  readonly far?: FarDone;
}

/** With the transaction's hash, by which the ledger's statement is compared, and what it has cost. */
async function postLegs(tx: Db, row: BridgeRow, { step, legs, far }: LegsPosting): Promise<void> {
  const { object_id, client_id, recipient_tag: tag } = row;
  const meta = {
    client_id,
    ...(far && { hash: far.done.hash }),
    ...(step === 'send' && tag !== null && { tag }),
  };
  const key = `bridge-${step}:${object_id}`;
  const cost = far ? await far.ledger.costLegs(tx, far.done) : [];
  await postWithin(tx, { key, kind: `bridge-${step}`, legs: [...legs, ...cost], meta });
}
