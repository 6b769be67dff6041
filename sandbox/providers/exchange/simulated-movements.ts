import { createHash, randomInt } from 'node:crypto';
import { format, money } from '#kernel/money/money.ts';
import type { FaucetReply } from '#sandbox/faucet.ts';
import type { Records } from '#sandbox/records.ts';
import type { World } from '#sandbox/simulator.ts';
import {
  listedSince,
  moveSimulatedBalance,
  SIMULATED_EXCHANGE_PROVIDER,
} from './simulated-account.ts';
import { behaviourOf } from './simulated-behaviour.ts';

const WITHDRAWAL = 'withdrawal';
const DEPOSIT = 'deposit';

/** Of the wire: in work, turned down, done. */
const PROCESSING = 4;
const REJECTED = 3;
const COMPLETED = 10;

/** What each network takes for a withdrawal, in USDC. */
export const NETWORK_FEES: Readonly<Record<string, string>> = {
  ETH: '1.5',
  TRX: '1',
  BSC: '0.3',
  MATIC: '0.1',
  SOL: '0.5',
};
export const MIN_WITHDRAWAL = '5';

export interface SimulatedWithdrawal {
  readonly id: string;
  readonly at: number;
  readonly clientId: string;
  readonly network: string;
  readonly address: string;
  /** What arrives, and what the network takes. */
  readonly amount: string;
  readonly fee: string;
  readonly status: number;
  readonly txId: string;
}

export interface SimulatedDeposit {
  readonly id: string;
  readonly at: number;
  /** What the bank told with it. */
  readonly note: string;
  readonly amount: string;
}

/** Where USDC can really be sent to, by the wire's names of the networks. */
export type Taps = Readonly<Record<string, FaucetReply>>;

const usdc = (amount: string): bigint => money('USDC', amount).units;

/** Nothing where the balance is too small. Our own name is not looked at, as with orders. */
export async function addWithdrawal(
  world: World,
  asked: Pick<SimulatedWithdrawal, 'clientId' | 'network' | 'address' | 'amount'>,
): Promise<SimulatedWithdrawal | undefined> {
  const units = usdc(asked.amount);
  const fee = NETWORK_FEES[asked.network] ?? '0';
  const withdrawal: SimulatedWithdrawal = {
    ...asked,
    id: `${randomInt(1e14)}`,
    at: world.clock.now().getTime(),
    amount: format({ asset: 'USDC', units: units - usdc(fee) }),
    fee,
    status: PROCESSING,
    txId: '',
  };
  return world.records.atomic(async (records) => {
    if (!(await moveSimulatedBalance(records, { usdc: -units }))) return undefined;
    await records.insert(SIMULATED_EXCHANGE_PROVIDER, WITHDRAWAL, withdrawal.id, withdrawal);
    return withdrawal;
  });
}

export async function withdrawalsSince(world: World, taps: Taps, since: number, limit: number) {
  const found = await listedSince<SimulatedWithdrawal>(world.records, WITHDRAWAL, since, limit);
  return Promise.all(
    found.map((one) => (one.status === PROCESSING ? advance(world, taps, one) : one)),
  );
}

/** Brings one to its end where the exchange does not keep it: the coins are sent, or come back. */
async function advance(
  world: World,
  taps: Taps,
  withdrawal: SimulatedWithdrawal,
): Promise<SimulatedWithdrawal> {
  const { withdrawals } = await behaviourOf(world.records);
  if (withdrawals === 'hold') return withdrawal;
  if (withdrawals === 'reject') return giveBack(world, withdrawal);
  const txId = await send(taps, withdrawal);
  return txId === undefined
    ? withdrawal
    : ended(world.records, withdrawal, { status: COMPLETED, txId });
}

/** The chain knows the transfer by its name, so that it is sent once, also after a crash. */
async function send(
  taps: Taps,
  { id, network, address, amount }: SimulatedWithdrawal,
): Promise<string | undefined> {
  const tap = taps[network];
  if (tap === undefined) return createHash('sha256').update(`withdrawal ${id}`).digest('hex');
  const reference = `exchange-withdrawal:${id}`;
  const sent = await tap({ address, asset: 'USDC', amount, reference }).catch(() => undefined);
  return sent?.tx_hash;
}

const giveBack = (world: World, withdrawal: SimulatedWithdrawal): Promise<SimulatedWithdrawal> =>
  world.records.atomic(async (records) => {
    const back = await ended(records, withdrawal, { status: REJECTED });
    if (back !== withdrawal)
      await moveSimulatedBalance(records, { usdc: usdc(withdrawal.amount) + usdc(withdrawal.fee) });
    return back;
  });

/** As it is now: it ends once. */
const ended = async (
  records: Records,
  withdrawal: SimulatedWithdrawal,
  end: Partial<SimulatedWithdrawal>,
): Promise<SimulatedWithdrawal> =>
  (await records.update<SimulatedWithdrawal>(
    SIMULATED_EXCHANGE_PROVIDER,
    WITHDRAWAL,
    withdrawal.id,
    (kept) => (kept.status === PROCESSING ? { ...kept, ...end } : undefined),
  )) ?? withdrawal;

export const shownWithdrawal = ({ at, ...one }: SimulatedWithdrawal) => ({
  ...one,
  asset: 'USDC',
  addressTag: '',
  transferType: 0,
  createTime: at,
});

/** Rupiah arrive, and are listed or, as at some banks, only in the balance. */
export async function addDeposit(
  world: Pick<World, 'records' | 'clock'>,
  { note, amount }: Pick<SimulatedDeposit, 'note' | 'amount'>,
  isListed: boolean,
): Promise<SimulatedDeposit> {
  const at = world.clock.now().getTime();
  const deposit: SimulatedDeposit = { id: `${randomInt(1e14)}`, at, note, amount };
  await world.records.atomic(async (records) => {
    await moveSimulatedBalance(records, { idr: money('IDR', amount).units });
    if (isListed) await records.insert(SIMULATED_EXCHANGE_PROVIDER, DEPOSIT, deposit.id, deposit);
  });
  return deposit;
}

export const simulatedDepositsSince = ({ records }: World, since: number, limit: number) =>
  listedSince<SimulatedDeposit>(records, DEPOSIT, since, limit);

export const shownDeposit = ({ id, at, note, amount }: SimulatedDeposit) => ({
  id,
  asset: 'IDR',
  network: 'BANK',
  address: '',
  addressTag: '',
  txId: note,
  amount,
  transferType: 0,
  status: 1,
  insertTime: String(at),
});
