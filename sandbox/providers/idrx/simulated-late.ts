import { randomBytes, randomUUID } from 'node:crypto';
import { amountOf, idrxUnitsOf } from '#providers/idrx/wire.ts';
import {
  finishMint,
  type IdrxWorld,
  MINT,
  SIMULATED_IDRX_PROVIDER,
  type SimulatedMint,
  shownMint,
  tellOnce,
} from './simulated-history.ts';

/**
 * A payer pays all the same: another sum, in units of IDR, after its time, or once more, which is a request of
 * its own. The token is issued for what is enough.
 */
export async function payAnyway(
  world: IdrxWorld,
  { merchantOrderId, toBeMinted }: SimulatedMint,
  units: bigint,
): Promise<SimulatedMint | undefined> {
  const updatedAt = world.clock.now().toISOString();
  const isEnough = units >= idrxUnitsOf(toBeMinted);
  const change = {
    amount: amountOf('IDR', units),
    paymentStatus: 'PAID',
    userMintStatus: isEnough ? 'PROCESSING' : 'REJECTED',
    updatedAt,
  } as const;
  const paid = await world.records.update<SimulatedMint>(
    SIMULATED_IDRX_PROVIDER,
    MINT,
    merchantOrderId,
    (mint) => (mint.paymentStatus === 'PAID' ? undefined : { ...mint, ...change }),
  );
  const again = paid ?? (await oneMore(world, merchantOrderId, change));
  if (again && isEnough) return (await finishMint(world, again)) ?? again;
  if (again) void tellOnce(world, '/idrtoken/callback/payment', shownMint(again));
  return again;
}

async function oneMore(
  { records }: IdrxWorld,
  id: string,
  change: Partial<SimulatedMint>,
): Promise<SimulatedMint | undefined> {
  const first = await records.get<SimulatedMint>(SIMULATED_IDRX_PROVIDER, MINT, id);
  if (first === undefined) return undefined;
  const merchantOrderId = randomBytes(9).toString('hex');
  const copy = { ...first, ...change, id: randomUUID(), merchantOrderId, txHash: null };
  await records.insert(SIMULATED_IDRX_PROVIDER, MINT, merchantOrderId, copy);
  return copy;
}
