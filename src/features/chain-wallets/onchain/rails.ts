import { isJournalled, listJournalled, readOurs } from '#chains/evm/books/port.ts';
import { chainFault, type EvmChain, type EvmNetwork } from '#chains/evm/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { done, unknown } from '#kernel/effects/outcome.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { BookPage, BookWindow, Rail } from '#kernel/reconciliation/rail.ts';
import { clientsOfSends } from './client-store.ts';
import { byReference } from './store.ts';

type RailDeps = Pick<Kernel, 'db' | 'clock'> & { readonly evm: EvmNetwork };

/** A receipt that is missing by then was lost. */
const GRACE_MS = 15 * 60_000;
/** A hash names one transaction for good, whenever somebody saw it. */
const ANY_DAY = 36_500;

/** One for each chain: what we journalled of USDC and rupiah tokens against what the chain logged. */
export const chainRails = (deps: RailDeps): Rail[] =>
  Object.values(deps.evm.chains).map((chain) => chainRail(deps, chain));

const chainRail = (deps: RailDeps, chain: EvmChain): Rail => ({
  name: `chain-${chain.info.key}`,
  toleranceUnits: 0n,
  graceMs: GRACE_MS,
  daysApart: ANY_DAY,
  isUsed: (db) => isJournalled(db, chain.info),
  ours: (db, window, after) => ours(deps, { db, chain }, window, after),
  async theirs(window, after) {
    try {
      return done(await theirs(deps, chain, window, after));
    } catch (error) {
      const { kind, message } = chainFault(error);
      return unknown(`${kind}: ${message}`);
    }
  },
});

/**
 * Chains and their journal have the machine's time, which the sandbox does not move: with its clock ahead
 * they are as far ahead at every reading.
 */
function machineTime({ clock: { offsetMs } }: RailDeps) {
  const moved = (at: Date, ms: number) => new Date(at.getTime() + ms);
  return {
    windowOf: ({ from, to }: BookWindow) => ({
      from: moved(from, -offsetMs),
      to: moved(to, -offsetMs),
    }),
    serviceTime: (at: Date) => moved(at, offsetMs),
  };
}

async function ours(
  deps: RailDeps,
  { db, chain }: { readonly db: Db; readonly chain: EvmChain },
  window: BookWindow,
  after: string | undefined,
): Promise<BookPage> {
  const { windowOf, serviceTime } = machineTime(deps);
  const { journalled, next } = await listJournalled(db, chain, { ...windowOf(window), after });
  const operationOf = (reference: string) => byReference(reference)?.operation ?? '';
  const clients = await clientsOfSends(
    db,
    journalled.map(({ reference }) => operationOf(reference)).filter(Boolean),
  );
  const lines = journalled.map(({ hash, token, kind, units, mined_at, reference }) => {
    const clientId = clients.get(operationOf(reference));
    const at = serviceTime(new Date(mined_at));
    const line = { line: hash, reference: hash, kind, asset: token, units, at };
    return clientId === undefined ? line : { ...line, clientId };
  });
  return { lines, ...(next === undefined ? {} : { next }) };
}

async function theirs(
  deps: RailDeps,
  chain: EvmChain,
  window: BookWindow,
  after: string | undefined,
): Promise<BookPage> {
  const { windowOf, serviceTime } = machineTime(deps);
  const { from, to } = windowOf(window);
  if (!chain.isRunning() && (await isQuiet(deps.db, chain, { from, to }))) return { lines: [] };
  const page = await readOurs(deps.db, deps.evm, chain, {
    from,
    to,
    before: new Date(to.getTime() - GRACE_MS),
    ...(after === undefined ? {} : { block: BigInt(after) }),
  });
  const lines = page.logged.map(({ hash, index, token, kind, units, at }) => ({
    line: `${hash}.${index}`,
    reference: hash,
    kind,
    asset: token,
    units,
    at: serviceTime(at),
  }));
  return { lines, ...(page.next === undefined ? {} : { next: String(page.next) }) };
}

/** An unused chain is not started for this answer. */
async function isQuiet(db: Db, chain: EvmChain, window: BookWindow): Promise<boolean> {
  const { journalled } = await listJournalled(db, chain, window);
  return journalled.length === 0;
}
